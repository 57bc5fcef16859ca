import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Accounts, type Principal, requirePermission } from '../../accounts/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { CsvImport, Provisioning } from '../../provisioning/index.ts'
import { apiHeaders } from '../errors.ts'
import { type Form, readForm } from '../form.ts'
import { refuseMethod } from '../legacy-route.ts'
import { invalid } from '../wire/fields.ts'
import { wholeNumber } from '../wire/identity.ts'
import { connectorId } from './connectors.ts'

export type IdentitiesBulkOptions = {
  readonly accounts: Accounts
  readonly identities: Pick<Provisioning['identities'], 'importCsv'>
  /** The folder of temporary uploads. */
  readonly uploadDir: string
  readonly csv: CsvLimits
}

/** The limits of a file, and of its sender's idle time. */
export type CsvLimits = { readonly bytesMax: number; readonly stallMsMax: number }

const url = '/api::1/service/:connector/device2/identities'
const fields = ['expire', 'dry_run'] as const
const questions: readonly string[] = [...fields, 'rows']

/** Whitelisting in bulk: a CSV file in, the same rows out with what became of each. */
export async function addIdentitiesBulk(
  scope: FastifyInstance,
  options: IdentitiesBulkOptions,
): Promise<void> {
  const principals = new WeakMap<FastifyRequest, Principal>()
  let running = 0
  scope.removeAllContentTypeParsers()
  await scope.register(multipart)
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  scope.route({
    method: 'POST',
    url,
    async onRequest(request, reply) {
      // Nobody waits for the rest of an upload that is refused.
      reply.header('connection', 'close')
      const principal = await options.accounts.authorize(request.headers.authorization, request.ip)
      requirePermission(principal, 'Setup')
      principals.set(request, principal)
    },
    async handler(request, reply) {
      const principal = principals.get(request)
      if (principal === undefined) throw new Fault('unknown_credential')
      if (running >= limits.csvImportsMax) {
        const { retryAfterS } = limits
        throw new Fault('overloaded', 'Other files are being taken.', { retryAfterS })
      }
      running += 1
      await whitelist(options, principal, request, reply).finally(() => {
        running -= 1
      })
      return reply
    },
  })
  scope.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url,
    onRequest: refuseMethod('POST'),
    handler: async () => undefined,
  })
}

async function whitelist(
  { identities, uploadDir, csv }: IdentitiesBulkOptions,
  { businessId }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // A client that sends nothing, or reads nothing, would block others.
  reply.raw.setTimeout(csv.stallMsMax, () => reply.raw.destroy())
  const connector = connectorId(request.params as Record<string, string>)
  const fileBytesMax = csv.bytesMax
  const form = await readForm(request, { file: 'identities', fields, fileBytesMax, dir: uploadDir })
  try {
    reply.removeHeader('connection')
    const { only, ...asked } = parseAsked(request, form)
    const taken = await identities.importCsv(businessId, connector, form.file, asked)
    await (wantsJson(request) ? sendCounts(reply, taken) : sendCsv(reply, taken, only))
  } finally {
    await form.file.close()
  }
}

/** The answer of a row goes out while the next ones are written; who reads slowly slows it down. */
async function sendCsv(reply: FastifyReply, taken: CsvImport, only?: 'failed'): Promise<void> {
  const answer = Readable.from(taken.answer(only), { objectMode: false })
  const ended = new Promise((resolve) => answer.once('close', resolve))
  reply
    .headers({ ...apiHeaders, 'content-disposition': 'attachment; filename="identities.csv"' })
    .type('text/csv; charset=utf-8')
    .send(answer)
  await ended
}

async function sendCounts(reply: FastifyReply, taken: CsvImport): Promise<void> {
  reply.raw.setTimeout(0)
  for await (const _ of taken.answer('failed'));
  reply.headers(apiHeaders).send(taken.counts())
}

function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/csv')
}

function parseAsked(request: FastifyRequest, { fields: said }: Form) {
  const query = request.query as Record<string, unknown>
  const unknown = Object.keys(query).find((name) => !questions.includes(name))
  if (unknown !== undefined) throw invalid(`query.${unknown}`, 'is not a field here')
  const { expire, dry_run: dryRun, rows }: Record<string, unknown> = { ...query, ...said }
  if (rows !== undefined && rows !== 'failed') throw invalid('rows', 'can only be failed')
  return {
    ...(expire !== undefined && expire !== '' && { expire: wholeNumber(expire) }),
    dryRun: parseFlag('dry_run', dryRun),
    only: rows === 'failed' ? ('failed' as const) : undefined,
  }
}

function parseFlag(name: string, value: unknown): boolean {
  if (value === undefined || value === '' || value === 'false') return false
  if (value === 'true') return true
  throw invalid(name, 'must be true or false')
}
