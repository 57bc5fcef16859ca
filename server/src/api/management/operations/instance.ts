import {
  Fault,
  limits,
  type ProcessRole,
  processRoles,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

const on = operations('instance', 'none', '')

export const getOpenApi = on.get(
  '/api:1/openapi.json',
  'Show the OpenAPI document of this API.',
  () => shows('The document.', Type.Object({}, { description: 'OpenAPI 3.1.' })),
  ({ apiDocument }) => apiDocument(),
)

const roles = Type.Array(Type.Unsafe<ProcessRole>({ enum: processRoles }), {
  description: 'The roles of the process that answers.',
})

export const getHealth = on.get(
  '/healthz',
  'Tell whether the instance works: the database answers and takes writes.',
  () => ({
    ...shows('It works.', StrictObject({ status: Type.Literal('ok'), roles })),
    refuses: ['log_unavailable'],
  }),
  async ({ accounts, unwritable, roles }) => {
    // Any small question will do.
    await accounts.findBusiness('healthz').catch((error: unknown) => {
      throw unavailable('The database does not answer.', error)
    })
    const why = await unwritable()
    if (why !== undefined) throw unavailable(why)
    return { status: 'ok' as const, roles }
  },
)

function unavailable(why: string, cause?: unknown): Fault {
  const options = { cause, retryAfterS: limits.retryAfterS }
  return new Fault('log_unavailable', why, options)
}
