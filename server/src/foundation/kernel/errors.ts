/**
 * The closed catalogue of errors. Each code has its section in docs/reference/errors.md (the tidy
 * test compares). `text` is public; a fault's `detail` is the sentence for the
 * operator, and for a caller that may read more.
 */
const catalogue = {
  backup_refused: { status: 400, text: 'The backup cannot be used.' },
  malformed_request: { status: 400, text: 'The request cannot be read.' },
  persisted_query_not_supported: { status: 400, text: 'PersistedQueryNotSupported' },
  invalid_argument: { status: 400, text: 'An argument is missing or not valid.' },
  definition_refused: { status: 400, text: 'The definition of the module is refused.' },
  csr_refused: { status: 400, text: 'The certificate signing request is refused.' },
  crl_refused: { status: 400, text: 'The revocation list is refused.' },
  csv_invalid: { status: 400, text: 'CSV file format invalid' },
  value_refused: { status: 400, text: 'The value breaks the format or the allowed values.' },
  not_settable: { status: 400, text: 'Value is not settable' },
  script_refused: { status: 400, text: 'A script cannot be compiled.' },
  pipeline_refused: { status: 400, text: 'The pipeline is not valid.' },
  dashboard_refused: { status: 400, text: 'The dashboard is not valid.' },
  too_complex: { status: 400, text: 'The request asks for more than one request may.' },
  too_deep: { status: 400, text: 'The document is nested too deep.' },
  too_many_tokens: { status: 400, text: 'The document has too many tokens.' },
  too_many_selections: { status: 400, text: 'The document selects too many fields.' },
  too_many_repeats: { status: 400, text: 'The document selects one name too often at one place.' },
  too_many_aliases: { status: 400, text: 'The document has too many aliases.' },
  too_many_directives: { status: 400, text: 'The document has too many directives.' },
  list_too_long: { status: 400, text: 'A list is longer than the limit.' },
  cost_exceeded: { status: 400, text: 'The document may cost more than one request may.' },
  answer_too_large: { status: 400, text: 'The answer is larger than the limit.' },
  unknown_credential: { status: 401, text: 'The credential is missing or not known.' },
  totp_required: { status: 401, text: 'A code of the second step is needed: sign in with it.' },
  totp_enrolment_required: { status: 401, text: 'The business demands a second step: set it up.' },
  forbidden: { status: 403, text: 'The credential does not permit this.' },
  tests_refused: { status: 403, text: 'The instance runs no tests of solutions.' },
  plain_connection: { status: 403, text: 'The connector asks for an encrypted connection.' },
  address_not_allowed: { status: 403, text: 'The address may not provision devices here.' },
  certificate_untrusted: { status: 403, text: 'The certificate is not trusted here.' },
  certificate_mismatch: { status: 403, text: 'Another certificate belongs to the identity.' },
  certificate_not_yet_valid: { status: 403, text: 'The certificate is not valid yet.' },
  certificate_expired: { status: 403, text: 'The certificate has expired.' },
  credential_replaced: { status: 403, text: 'The device uses a newer credential.' },
  certificate_revoked: { status: 403, text: 'The certificate was revoked.' },
  locked: { status: 403, text: 'The identity is locked.' },
  not_found: { status: 404, text: 'There is no such thing here.' },
  unknown_identity: { status: 404, text: 'The identity or the connector is not known.' },
  window_closed: { status: 404, text: 'The activation window has closed.' },
  method_not_allowed: { status: 405, text: 'The path does not answer this method.' },
  not_acceptable: { status: 406, text: 'The client accepts no media type that there is.' },
  already_activated: { status: 409, text: 'The identity is already activated.' },
  reprovision_refused: { status: 409, text: 'The connector provisions no device again.' },
  not_provisioned: { status: 409, text: 'The identity has no credential that could be replaced.' },
  already_exists: { status: 409, text: 'There is one already.' },
  in_use: { status: 409, text: 'Others use it.' },
  connector_in_use: { status: 409, text: 'Something depends on the connector.' },
  database_in_use: { status: 409, text: 'Other processes use the tables.' },
  database_not_empty: { status: 409, text: 'The database is not empty.' },
  database_not_durable: { status: 409, text: 'The database loses commits in a power cut.' },
  database_version: { status: 409, text: 'The tables are of another version.' },
  settings_differ: { status: 409, text: 'Other processes have another setting.' },
  authority_differs: { status: 409, text: 'The instance has another CA.' },
  breaking_change: { status: 409, text: 'Subscribers rely on what the change takes away.' },
  pipeline_outdated: { status: 409, text: 'There is a newer version of the pipeline.' },
  template_outdated: { status: 409, text: 'There is a newer version of the template.' },
  dashboard_outdated: { status: 409, text: 'There is a newer version of the dashboard.' },
  ca_conflict: { status: 409, text: 'The connector has another client CA.' },
  crl_outdated: { status: 409, text: 'The revocation list is older than the one in force.' },
  timestamps_too_close: { status: 409, text: 'Two stamps are less than a second apart.' },
  too_large: { status: 413, text: 'The message is larger than the limit.' },
  range_refused: { status: 416, text: 'The content has no such range of bytes.' },
  wrong_method: { status: 415, text: 'The connector expects another way to authenticate.' },
  wrong_content_type: { status: 415, text: 'The body must be JSON.' },
  upgrade_required: { status: 426, text: 'The path takes websockets only.' },
  wrong_host: { status: 421, text: 'The host of the request is not the host of the connection.' },
  wrong_role: { status: 421, text: 'This process does not have the role that answers this.' },
  unknown_host: { status: 421, text: 'The instance does not answer on this host.' },
  module_failed: { status: 502, text: 'The insight module failed.' },
  vendor_failed: { status: 502, text: 'The certificate vendor failed.' },
  oidc_failed: { status: 502, text: 'The sign-in provider failed.' },
  address_refused: { status: 502, text: 'The operator does not allow this address.' },
  mail_failed: { status: 502, text: 'The mail server did not take the mail.' },
  http_failed: { status: 502, text: 'The HTTP request failed.' },
  http_timed_out: { status: 504, text: 'The HTTP request was not answered in time.' },
  http_busy: { status: 429, text: 'Too many HTTP requests are under way.' },
  quota_exceeded: { status: 429, text: 'The quota of calls is used up.' },
  response_refused: { status: 502, text: 'A solution answered what it said it would not.' },
  script_failed: { status: 500, text: 'The script failed.' },
  script_memory: { status: 507, text: 'The script needs more memory than it may have.' },
  business_rate_exceeded: { status: 429, text: 'The business has used up its quota for now.' },
  business_quota_full: { status: 507, text: 'The business has as much as its quota allows.' },
  connector_full: { status: 507, text: 'The connector has no room for another identity.' },
  rate_requests_exceeded: { status: 429, text: 'ExceededRateLimitRequests' },
  rate_time_exceeded: { status: 429, text: 'ExceededRateLimitTime' },
  maximum_time_exceeded: { status: 429, text: 'ExceededMaximumTime' },
  superseded: { status: 410, text: 'The operation is no longer served.' },
  sign_in_locked: { status: 429, text: 'There were too many failed sign-ins. Try again later.' },
  too_many_requests: { status: 429, text: 'Too many requests. Try again later.' },
  internal: { status: 500, text: 'internal' },
  secret_unreadable: { status: 500, text: 'What is stored encrypted cannot be read.' },
  overloaded: { status: 503, text: 'Too many messages are waiting. Try again.' },
  server_closed: { status: 503, text: 'The server closes. Try again.' },
  database_unavailable: { status: 503, text: 'The database cannot be reached. Try again.' },
  log_unavailable: { status: 503, text: 'The event log cannot be written. Try again.' },
  time_exceeded: { status: 504, text: 'The request took too long. Ask for less at once.' },
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
