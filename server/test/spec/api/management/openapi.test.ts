import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { printJson } from '../../../../../dev/generate/pages.ts'
import { contracts, describeApi, isStream } from '../../../../src/api/management/index.ts'
import { createParser, type TSchema } from '../../../../src/foundation/kernel/index.ts'
import { assertOk, managementFixture } from '../../../fixtures/wire/management.ts'

const wording = {
  name: 'the example',
  objectRule: 'must be an object',
  firstIndex: 0,
  unknownField: (name: string) => `has no field ${name}`,
} as const

function check(schema: TSchema, value: unknown): void {
  createParser(schema, wording)(value)
}

describe('the OpenAPI document', () => {
  it('is served without a credential, and describes every route', async (t) => {
    const { ask } = await managementFixture(t)
    const reply = await ask('GET', '/api:1/openapi.json', { as: null })
    assertOk(reply)
    const document = reply.json() as ReturnType<typeof describeApi>
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    assert.deepEqual(ids.sort(), contracts.map(({ id }) => id).sort())
  })

  it('stands in docs/reference as it is served: npm run generate', () => {
    const file = join(import.meta.dirname, '../../../../../docs/reference/openapi.json')
    assert.equal(readFileSync(file, 'utf8'), `${printJson(describeApi(contracts))}\n`)
  })

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(describeApi(contracts, '1.0.0'))
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(validator.version, '3.1')
  })

  it('gives every route an id of its own and one sentence', () => {
    assert.equal(new Set(contracts.map(({ id }) => id)).size, contracts.length)
    for (const { id, summary } of contracts) {
      assert.match(id, /^[a-z]+[A-Z][A-Za-z]+$/)
      assert.match(summary, /^[A-Z][^.]+\.$/, id)
    }
  })

  it('has examples that its schemas take', () => {
    for (const contract of contracts) {
      const { body, answers, example } = contract.details()
      const bodySchema = body !== undefined && isStream(body) ? body.schema : body
      if (example?.request !== undefined && bodySchema !== undefined) {
        check(bodySchema, example.request)
      }
      const answer = Object.values(answers).find(({ json }) => json !== undefined)?.json
      if (example?.answer !== undefined && answer !== undefined) check(answer, example.answer)
    }
  })

  it('has an example for every route that takes JSON', () => {
    const without = contracts.filter((contract) => {
      const { body, example } = contract.details()
      return body !== undefined && !isStream(body) && example?.request === undefined
    })
    assert.deepEqual(
      without.map(({ id }) => id),
      [],
    )
  })
})
