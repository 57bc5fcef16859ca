import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contracts } from '../../../../src/api/management/index.ts'
import { anonymousOperations } from '../../../../src/people/accounts/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { makeRequest } from './requests.ts'

/** Operations for anyone that are not counted, and why. */
const uncounted: Readonly<Record<string, string>> = {
  beginDemandedTotp: 'failed passwords lock the account and the address',
  createFirstAccount: 'there is one, once',
  getHealth: 'monitoring reads it, and its answer is kept',
  getOpenApi: 'one text',
  getSession: 'it is read as the credential of any request is',
  readReportUrl: 'its token is sealed, so that nobody else makes one',
  signIn: 'failed passwords lock the account and the address',
}

test('what needs no credential is counted by network address, or says why not', async (t) => {
  const open = contracts.filter(({ permission }) => permission === 'none')
  const known = [...Object.keys(uncounted), ...anonymousOperations].sort()
  assert.deepEqual(open.map(({ id }) => id).sort(), known)
  const { httpUrl } = await testPlatform(t, { own: 'uses up what one address may' })
  setLimits(t, { anonymousRequestsPerMinute: 2 })
  for (const contract of open.filter(({ id }) => !(id in uncounted))) {
    const { method, path, body } = makeRequest(contract, {})
    const results: string[] = []
    for (let at = 0; at < 3; at += 1) {
      const response = await fetch(`${httpUrl}${path}`, {
        method,
        redirect: 'manual',
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      })
      // A browser is led back to the page, which shows the code.
      results.push(`${response.headers.get('location')} ${await response.text()}`)
    }
    const refused = results.map((one) => one.includes('too_many_requests'))
    assert.deepEqual(refused, [false, false, true], contract.id)
  }
})
