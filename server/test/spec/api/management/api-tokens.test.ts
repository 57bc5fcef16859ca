import { test } from 'node:test'
import { assertOk, basicFor, managementFixture } from '../../../fixtures/wire/management.ts'

const tokens = '/api:1/api-tokens'

test('a session, a password and a token without an end create tokens without one', async (t) => {
  const { ask, addAnn } = await managementFixture(t)
  const ann = await addAnn()
  const signedIn = await ask('POST', '/api:1/token/', { body: ann, as: null })
  const session = `token ${signedIn.json<{ token: string }>().token}`
  for (const as of [session, basicFor(ann), undefined]) {
    const body = { name: 'long', role: 'Administrator' }
    assertOk(await ask('POST', tokens, { body, ...(as !== undefined && { as }) }), 201)
  }
})
