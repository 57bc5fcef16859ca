/**
 * The closed catalogue of errors. Each code has its section in docs/reference/errors.md (the tidy
 * test compares). `text` is public; a fault's `detail` is the sentence for the
 * operator, and for a caller that may read more.
 */
const catalogue = {
  backup_refused: { status: 400, text: 'The backup cannot be used.' },
  malformed_request: { status: 400, text: 'The request is malformed.' },
  persisted_query_not_supported: { status: 400, text: 'PersistedQueryNotSupported' },
  invalid_argument: { status: 400, text: 'An argument is missing or invalid.' },
  definition_refused: { status: 400, text: 'The OpenAPI definition of the module is invalid.' },
  csr_refused: { status: 400, text: 'The certificate signing request was rejected.' },
  crl_refused: { status: 400, text: 'The revocation list was rejected.' },
  csv_invalid: { status: 400, text: 'CSV file format invalid' },
  value_refused: {
    status: 400,
    text: 'The value does not match the format or the allowed values.',
  },
  not_settable: { status: 400, text: 'Value is not settable' },
  script_refused: { status: 400, text: 'A script does not compile.' },
  pipeline_refused: { status: 400, text: 'The pipeline is not valid.' },
  dashboard_refused: { status: 400, text: 'The dashboard is not valid.' },
  too_complex: { status: 400, text: 'Query complexity limit exceeded.' },
  too_deep: { status: 400, text: 'The document is nested too deeply.' },
  too_many_tokens: { status: 400, text: 'The document has too many tokens.' },
  too_many_selections: { status: 400, text: 'The document selects too many fields.' },
  too_many_repeats: { status: 400, text: 'The document selects one field too often at one place.' },
  too_many_aliases: { status: 400, text: 'The document has too many aliases.' },
  too_many_directives: { status: 400, text: 'The document has too many directives.' },
  list_too_long: { status: 400, text: 'A list exceeds the length limit.' },
  cost_exceeded: { status: 400, text: 'Query cost limit exceeded.' },
  answer_too_large: { status: 400, text: 'The answer exceeds the size limit.' },
  unknown_credential: { status: 401, text: 'The credential is missing or unknown.' },
  totp_required: { status: 401, text: 'Two-factor code required: sign in with it.' },
  totp_enrolment_required: {
    status: 401,
    text: 'The business requires two-factor sign-in: set it up.',
  },
  forbidden: { status: 403, text: 'The credential does not permit this operation.' },
  tests_refused: { status: 403, text: 'Tests of solutions are disabled on this instance.' },
  plain_connection: { status: 403, text: 'The connector requires an encrypted connection.' },
  address_not_allowed: { status: 403, text: 'Devices may not be provisioned from this address.' },
  certificate_untrusted: { status: 403, text: 'The certificate is not trusted.' },
  certificate_mismatch: { status: 403, text: 'The identity has a different certificate.' },
  certificate_not_yet_valid: { status: 403, text: 'The certificate is not valid yet.' },
  certificate_expired: { status: 403, text: 'The certificate has expired.' },
  credential_replaced: { status: 403, text: 'The device uses a newer credential.' },
  certificate_revoked: { status: 403, text: 'The certificate was revoked.' },
  locked: { status: 403, text: 'The identity is locked.' },
  not_found: { status: 404, text: 'Not found.' },
  unknown_identity: { status: 404, text: 'The identity or the connector is unknown.' },
  window_closed: { status: 404, text: 'The activation window has closed.' },
  method_not_allowed: { status: 405, text: 'The path does not support this method.' },
  not_acceptable: { status: 406, text: 'The client accepts none of the available media types.' },
  already_activated: { status: 409, text: 'The identity is already activated.' },
  reprovision_refused: { status: 409, text: 'The connector does not allow re-provisioning.' },
  not_provisioned: { status: 409, text: 'The identity has no credential to replace.' },
  already_exists: { status: 409, text: 'Already exists.' },
  in_use: { status: 409, text: 'Still in use.' },
  connector_in_use: { status: 409, text: 'The connector is in use.' },
  database_in_use: { status: 409, text: 'Other processes are using the tables.' },
  database_not_empty: { status: 409, text: 'The database is not empty.' },
  database_not_durable: { status: 409, text: 'The database can lose commits in a power cut.' },
  database_version: { status: 409, text: 'The tables belong to another version.' },
  settings_differ: { status: 409, text: 'Other processes run with a different setting.' },
  authority_differs: { status: 409, text: 'The instance has a different CA.' },
  breaking_change: { status: 409, text: 'Subscribers depend on parts that the change removes.' },
  pipeline_outdated: { status: 409, text: 'A newer version of the pipeline exists.' },
  template_outdated: { status: 409, text: 'A newer version of the template exists.' },
  dashboard_outdated: { status: 409, text: 'A newer version of the dashboard exists.' },
  ca_conflict: { status: 409, text: 'The connector has a different client CA.' },
  crl_outdated: { status: 409, text: 'The revocation list is older than the one in force.' },
  timestamps_too_close: { status: 409, text: 'Two timestamps are less than a second apart.' },
  too_large: { status: 413, text: 'The message exceeds the size limit.' },
  range_refused: { status: 416, text: 'The content does not have this byte range.' },
  wrong_method: { status: 415, text: 'The connector expects a different authentication method.' },
  wrong_content_type: { status: 415, text: 'The body must be JSON.' },
  upgrade_required: { status: 426, text: 'The path takes websockets only.' },
  wrong_host: { status: 421, text: 'The request names a different host than its connection.' },
  wrong_role: { status: 421, text: 'This process does not have the role for this request.' },
  unknown_host: { status: 421, text: 'The instance does not serve this host.' },
  module_failed: { status: 502, text: 'The insight module failed.' },
  vendor_failed: { status: 502, text: 'The certificate vendor failed.' },
  oidc_failed: { status: 502, text: 'The sign-in provider failed.' },
  address_refused: { status: 502, text: 'The operator does not allow calls to this address.' },
  mail_failed: { status: 502, text: 'The mail server did not accept the mail.' },
  http_failed: { status: 502, text: 'The HTTP request failed.' },
  http_timed_out: { status: 504, text: 'The HTTP request was not answered in time.' },
  http_busy: { status: 429, text: 'Too many HTTP requests are in progress.' },
  quota_exceeded: { status: 429, text: 'The call quota is used up.' },
  response_refused: {
    status: 502,
    text: 'The response of the solution does not match its definition.',
  },
  script_failed: { status: 500, text: 'The script failed.' },
  script_memory: { status: 507, text: 'The script exceeded its memory limit.' },
  business_rate_exceeded: {
    status: 429,
    text: 'The business has used up its rate quota. Try again later.',
  },
  business_quota_full: { status: 507, text: 'The business has reached its quota.' },
  connector_full: { status: 507, text: 'The connector has reached its limit of identities.' },
  rate_requests_exceeded: { status: 429, text: 'ExceededRateLimitRequests' },
  rate_time_exceeded: { status: 429, text: 'ExceededRateLimitTime' },
  maximum_time_exceeded: { status: 429, text: 'ExceededMaximumTime' },
  superseded: { status: 410, text: 'The operation is no longer served.' },
  sign_in_locked: { status: 429, text: 'Too many failed sign-ins. Try again later.' },
  too_many_requests: { status: 429, text: 'Too many requests. Try again later.' },
  internal: { status: 500, text: 'internal' },
  secret_unreadable: { status: 500, text: 'A stored secret cannot be decrypted.' },
  overloaded: { status: 503, text: 'Too many messages are waiting. Try again.' },
  server_closed: { status: 503, text: 'The server is shutting down. Try again.' },
  database_unavailable: { status: 503, text: 'The database is unavailable. Try again.' },
  log_unavailable: { status: 503, text: 'The event log is unavailable. Try again.' },
  time_exceeded: { status: 504, text: 'The request took too long. Request less at once.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof catalogue

/** A problem of a document, of which there may be several. */
export type DocumentProblem = {
  /** The place, as a JSON pointer into the document. */
  readonly pointer: string
  readonly detail: string
}

/** Two states of one thing that exclude each other: a person chooses. */
export type VersionConflict = { readonly stored: unknown; readonly sent: unknown }

/** Every code with its HTTP status and its public text. */
export const errorCatalogue: Readonly<Record<ErrorCode, { status: number; text: string }>> =
  catalogue

/** The one error type. Any other error is answered as `internal`, without detail. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string
  /** Whole seconds after which it is worth while to try again; only with 429 and 503. */
  readonly retryAfterS: number | undefined
  /** The reason, if programs expect `detail` to be a fixed text. */
  readonly reason: string | undefined
  /** All that is wrong with a document, if it is refused for more than one thing. */
  readonly problems: readonly DocumentProblem[] | undefined
  /** The stored state and the refused one, of a change of an older version. */
  readonly conflict: VersionConflict | undefined

  constructor(
    code: ErrorCode,
    detail?: string,
    options?: ErrorOptions & {
      retryAfterS?: number
      reason?: string
      problems?: readonly DocumentProblem[]
      conflict?: VersionConflict
    },
  ) {
    super(detail ?? catalogue[code].text, options)
    this.name = 'Fault'
    this.code = code
    this.status = catalogue[code].status
    this.detail = detail ?? catalogue[code].text
    this.retryAfterS = options?.retryAfterS
    this.reason = options?.reason
    this.problems = options?.problems
    this.conflict = options?.conflict
  }
}

/** The fault in anything that was thrown: itself, or `internal` with the cause kept for the log. */
export function toFault(thrown: unknown): Fault {
  return thrown instanceof Fault ? thrown : new Fault('internal', undefined, { cause: thrown })
}

/** The refusal of a field, with the sentence that names it. */
export function invalidField(field: string, rule: string): Fault {
  return new Fault('invalid_argument', `${field} ${rule}`)
}
