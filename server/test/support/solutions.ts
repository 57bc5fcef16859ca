import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type ErrorCode, errorCatalogue } from '../../src/kernel/index.ts'
import { type TestPlatform, testPlatform } from './platform.ts'

type Body = Readonly<Record<string, unknown>>

/** An answer of the management API: `json` is what it said. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
export type Answered = { readonly status: number; readonly json: any }

/** An instance, the management API under `/api:1`, and a solution of its business. */
export type SolutionsBench = {
  readonly millrace: TestPlatform
  readonly businessId: string
  /** As the administrator, or as who `token` is. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<Answered>
  /** As `ask`, of the solution `pump`. */
  pump(method: string, path: string, body?: unknown): Promise<Answered>
  /** Another business, with a token of its administrator. */
  stranger(): Promise<{ readonly businessId: string; readonly token: string }>
}

export async function solutionsBench(
  t: Pick<TestContext, 'after'>,
  options?: Parameters<typeof testPlatform>[1],
): Promise<SolutionsBench> {
  const millrace = await testPlatform(t, options)
  const { accounts } = millrace.platform
  let strangers = 0

  async function ask(method: string, path: string, body?: unknown, token = millrace.token) {
    const raw = typeof body === 'string'
    const response = await fetch(`${millrace.httpUrl}/api:1${path}`, {
      method,
      headers: {
        Authorization: `Automation ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }

  const made = await ask('POST', '/solution', { id: 'pump', name: 'Pump' })
  assert.equal(made.status, 201, JSON.stringify(made.json))
  return {
    millrace,
    businessId: millrace.businessId,
    ask,
    pump: (method, path, body) => ask(method, `/solution/pump${path}`, body),
    async stranger() {
      strangers += 1
      const { id } = await accounts.createBusiness({ name: `Stranger ${strangers}` })
      const { token } = await accounts.createToken(id, { name: 't', role: 'Administrator' })
      return { businessId: id, token }
    },
  }
}

export function assertStatus({ status, json }: Answered, wanted: number): void {
  assert.equal(status, wanted, JSON.stringify(json))
}

/** The answer is this error, in the one shape that errors have. */
export function assertFault({ status, json }: Answered, code: ErrorCode, message?: RegExp): void {
  assert.deepEqual({ status, code: json?.code }, { status: errorCatalogue[code].status, code })
  assert.match((json as Body).message as string, message ?? /\S/)
}
