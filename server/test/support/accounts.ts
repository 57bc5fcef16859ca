import { strict as assert } from 'node:assert'
import type { TestContext } from 'node:test'
import { createAccounts } from '../../src/accounts/index.ts'
import { createLogger, type ErrorCode, Fault, systemRandom } from '../../src/kernel/index.ts'
import { testDatabase } from './database.ts'

export const password = 'correct horse'
export const email = 'ann@example.com'

/** One business with one administrator, at a time that the test moves. */
export async function accountsFixture(t: TestContext) {
  const database = await testDatabase(t)
  const time = { ms: 1_700_000_000_000 }
  const clock = { nowMs: () => time.ms, nowUs: () => time.ms * 1000, elapsedMs: () => time.ms }
  const logger = createLogger('silent')
  const another = () => createAccounts({ database, clock, random: systemRandom, logger })
  const accounts = another()
  const business = await accounts.createBusiness({ name: 'Acme' })
  const user = await accounts.createUser(business.id, { email, password, role: 'Administrator' })
  return { accounts, another, business, database, time, user }
}

export const refused = (code: ErrorCode) => (error: unknown) => {
  assert(error instanceof Fault, String(error))
  assert.equal(error.code, code)
  return true
}
export const unknown = refused('unknown_credential')
export const basicHeader = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
