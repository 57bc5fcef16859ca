import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { until } from '../../../../fixtures/interface.ts'
import { testPlatform, unique } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { type Instance, listMessages, openInstance, sendOverTls } from './instance.ts'

let instance: Instance
const onInstance = sharedBySuites(async (suite) => {
  instance = openInstance(await testPlatform(suite))
})

const listKeys = (answer: object) => Object.keys(answer).sort()

describe('what the graph query API is for', () => {
  onInstance()

  it('reads the status of assets and the values of signals for other tools', async () => {
    const signals = [{ name: 'level', primitiveType: 'NUMERIC' }]
    const create = `mutation($input: CreateAssetInput!) {
      createAsset(input: $input) { id signals { id } } }`
    type Made = { readonly createAsset: { id: string; signals: { id: string }[] } }
    const { createAsset } = await instance.ask<Made>(create, { input: { name: 'Tank', signals } })
    const values = [{ signalId: createAsset.signals[0]?.id, value: 4.5 }]
    const write = `mutation($values: [SignalValueInput!]!) {
      writeSignalValues(values: $values) { error { message } } }`
    assert.deepEqual(await instance.ask(write, { values }), {
      writeSignalValues: [{ error: null }],
    })
    const query = `query($id: ID!) {
      asset(id: $id) { status { level } signals { name data(options: { limit: 1 }) { value } } } }`
    const read = () => instance.ask<{ asset: object }>(query, { id: createAsset.id })
    const tank = await until(read, ({ asset }) => JSON.stringify(asset).includes('4.5'))
    assert.deepEqual(tank.asset, {
      status: { level: 'normal' },
      signals: [{ name: 'level', data: [{ value: 4.5 }] }],
    })
  })

  it('creates assets during the manufacturing of devices', async () => {
    const inputs = ['A-1', 'A-2'].map((name) => ({ name }))
    const create = `mutation($inputs: [CreateAssetInput!]!) {
      createAssets(inputs: $inputs) { asset { name } error { code } } }`
    const { createAssets } = await instance.ask(create, { inputs })
    assert.deepEqual(createAssets, [
      { asset: { name: 'A-1' }, error: null },
      { asset: { name: 'A-2' }, error: null },
    ])
  })

  it('invites users from a registration or billing system', async () => {
    const email = `${unique('new')}@example.com`
    const invite = `mutation { inviteUser(input: { email: "${email}", role: "Viewer" }) {
      email role } }`
    const { inviteUser } = await instance.ask(invite)
    assert.deepEqual(inviteUser, { email, role: 'Viewer' })
  })
})

describe('objects of the graph API', () => {
  onInstance()

  it('Pagination is an input type with integer fields limit and offset', async () => {
    const { __type } = await instance.ask<{ __type: { kind: string; inputFields: object[] } }>(
      '{ __type(name: "Pagination") { kind inputFields { name type { kind name } } } }',
    )
    assert.equal(__type.kind, 'INPUT_OBJECT')
    const int = { kind: 'SCALAR', name: 'Int' }
    assert.deepEqual(__type.inputFields.slice(0, 2), [
      { name: 'limit', type: int },
      { name: 'offset', type: int },
    ])
  })

  it('assets is a list, and asset one by its id, with at least id and name', async () => {
    const id = await instance.makeAsset('Pump')
    const { assets, asset } = await instance.ask<{ assets: object[]; asset: object }>(
      'query($id: ID!) { assets { id name } asset(id: $id) { id name } }',
      { id },
    )
    assert.deepEqual(asset, { id, name: 'Pump' })
    assert.deepEqual(
      assets.find((one) => (one as { id: string }).id === id),
      asset,
    )
  })

  it('the complete schema is there by __schema and __type', async () => {
    const { __schema } = await instance.ask<{ __schema: Record<string, { fields: object[] }> }>(
      `{ __schema { queryType { fields { name } } mutationType { fields { name } }
        subscriptionType { fields { name } } } }`,
    )
    const names = (type: string) => JSON.stringify(__schema[type]?.fields)
    assert.match(names('queryType'), /"assets".*"asset"/)
    assert.match(names('mutationType'), /"deleteAsset"/)
    assert.match(names('subscriptionType'), /"name"/)
    const { __type } = await instance.ask<{ __type: { fields: { name: string }[] } }>(
      '{ __type(name: "Asset") { fields { name } } }',
    )
    const fields = __type.fields.map(({ name }) => name)
    assert.ok(['id', 'name', 'signals'].every((name) => fields.includes(name)))
  })
})

describe('the endpoint of the graph API', () => {
  onInstance()

  it('is POST https://{instance_domain}/api/graphql with a JSON body', async () => {
    const headers = { authorization: instance.automation, 'content-type': 'application/json' }
    const answer = await sendOverTls(instance, headers, { query: '{ assetCount }' })
    assert.equal(typeof answer.data?.assetCount, 'number')
    assert.deepEqual(listKeys(answer), ['data', 'extensions'])
  })

  it('the query is required, and a string', async () => {
    for (const body of [{}, { query: null }, { query: 7 }, { variables: {} }]) {
      const answer = await instance.send(body)
      assert.deepEqual(listKeys(answer), ['errors', 'extensions'], JSON.stringify(body))
    }
  })

  it('operationName is required only when the document holds several operations', async () => {
    const several = 'query A { a: __typename } query B { b: __typename }'
    assert.equal((await instance.send({ query: 'query A { a: __typename }' })).errors, undefined)
    assert.equal((await instance.send({ query: several })).data, undefined)
    const { data } = await instance.send({ query: several, operationName: 'B' })
    assert.deepEqual(data, { b: 'Query' })
  })

  it('variables is an object, and optional', async () => {
    const query = 'query($id: ID!) { asset(id: $id) { id } }'
    const { data } = await instance.send({ query, variables: { id: 'none' } })
    assert.deepEqual(data, { asset: null })
    assert.ok((await instance.send({ query, variables: ['none'] })).errors)
    assert.equal(
      (await instance.send({ query: '{ __typename }', variables: null })).errors,
      undefined,
    )
  })

  it('the answer is an object with data, extensions and errors', async () => {
    const { errors, ...answer } = await instance.send({ query: '{ __typename }' })
    assert.deepEqual([listKeys(answer), errors], [['data', 'extensions'], undefined])
    const partly = 'mutation { a: deleteAsset(id: "none") { id } }'
    assert.deepEqual(listKeys(await instance.send({ query: partly })), [
      'data',
      'errors',
      'extensions',
    ])
  })
})

describe('rules of the graph API on requests', () => {
  onInstance()

  it('1: there is a single endpoint for every query and mutation', async () => {
    const id = await instance.makeAsset('One')
    assert.deepEqual(await instance.ask('query($id: ID!) { asset(id: $id) { id } }', { id }), {
      asset: { id },
    })
    const remove = 'mutation($id: ID!) { deleteAsset(id: $id) { id } }'
    assert.deepEqual(await instance.ask(remove, { id }), { deleteAsset: { id } })
    for (const path of ['/api/graphql/assets', '/api', '/graphql']) {
      const headers = { authorization: instance.automation }
      const { status } = await fetch(instance.httpUrl + path, { method: 'POST', headers })
      assert.ok([401, 404].includes(status), `${path}: ${status}`)
    }
  })

  it('3: a shorthand document is a query, without a name and variables', async () => {
    assert.deepEqual(await instance.ask('{ __typename }'), { __typename: 'Query' })
    assert.deepEqual(await instance.ask('query { __typename }'), { __typename: 'Query' })
    assert.deepEqual(await instance.ask('mutation { __typename }'), { __typename: 'Mutation' })
    const wrong = [
      'Named { __typename }',
      '($id: ID) { __typename }',
      '{ deleteAsset(id: "x") { id } }',
    ]
    for (const query of wrong) assert.equal((await instance.send({ query })).data, undefined, query)
  })

  it('3: subscription is the third type of operation', async () => {
    const { __schema } = await instance.ask<{ __schema: { subscriptionType: object } }>(
      '{ __schema { subscriptionType { name } } }',
    )
    assert.deepEqual(__schema.subscriptionType, { name: 'Subscription' })
    const { id } = instance.connector
    await instance.manage('PUT', `service/${id}/device2/identity/d-1`, {})
    const query = `subscription($id: ID!) {
      devices(connectorId: $id, identities: ["d-1"]) { identity status } }`
    const ending = new AbortController()
    const stream = await fetch(instance.endpoint.url, {
      method: 'POST',
      headers: {
        authorization: instance.automation,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query, variables: { id } }),
      signal: ending.signal,
    })
    assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/)
    let received = ''
    for await (const chunk of stream.body ?? []) {
      received += Buffer.from(chunk).toString()
      if (received.includes('"d-1"')) break
    }
    assert.match(received, /\{"devices":\{"identity":"d-1","status":"whitelisted"\}\}/)
    ending.abort()
  })

  it('4: variables are declared with $ and a type of the API', async () => {
    const id = await instance.makeAsset('Four')
    const page =
      'query($ids: [ID], $page: Pagination) { assets(ids: $ids, pagination: $page) { id } }'
    const variables = { ids: [id], page: { limit: 1, offset: 0 } }
    assert.deepEqual(await instance.ask(page, variables), { assets: [{ id }] })
    const wrong = [
      'query($id: Nothing) { asset(id: $id) { id } }',
      'query { asset(id: $id) { id } }',
      'query(id: ID!) { asset(id: $id) { id } }',
    ]
    for (const query of wrong) {
      assert.equal((await instance.send({ query, variables: { id } })).data, undefined, query)
    }
  })
})

describe('rules of the graph API on the order of fields', () => {
  onInstance()

  it('5: several top-level fields of a query run in parallel', async () => {
    const { platform } = instance
    const waiting = async () => {
      const row = await platform.database.one<{ count: number }>(
        `select count(distinct pid) as count from pg_locks
          where not granted and database = (select oid from pg_database
            where datname = current_database())`,
      )
      return Number(row?.count)
    }
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const held = platform.database.transaction(async (transaction) => {
      await transaction.run('lock table assets_asset, policies_policy in access exclusive mode')
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const asked = instance.ask('{ assetCount policies { id } }')
    await until(waiting, (count) => count >= 2)
    release.resolve()
    await held
    assert.deepEqual(listKeys(await asked), ['assetCount', 'policies'])
  })

  it('5: several top-level fields of a mutation run in series', async () => {
    const id = await instance.makeAsset('Five')
    const query = `mutation($id: ID!) { first: updateAsset(id: $id, input: { name: "Six" }) { name }
      second: deleteAsset(id: $id) { name } third: deleteAsset(id: $id) { name } }`
    const { data, errors } = await instance.send({ query, variables: { id } })
    assert.deepEqual(data, { first: { name: 'Six' }, second: { name: 'Six' }, third: null })
    assert.deepEqual(
      errors?.map(({ path }) => path),
      [['third']],
    )
  })
})

describe('rules of the graph API on shapes', () => {
  onInstance()

  it('6: aliases, fragments and arguments are supported', async () => {
    const id = await instance.makeAsset('Alias')
    const query = `query($id: ID!) { one: asset(id: $id) { ...names } other: asset(id: $id) {
      ... on Asset { title: name } } } fragment names on Asset { id name }`
    assert.deepEqual(await instance.ask(query, { id }), {
      one: { id, name: 'Alias' },
      other: { title: 'Alias' },
    })
  })

  it('6: assets(pagination: {limit, offset}) is a list, asset(id) one of it', async () => {
    await instance.makeAsset('Page')
    const { assets } = await instance.ask<{ assets: { id: string }[] }>('{ assets { id } }')
    assert.ok(assets.length > 1)
    for (const [offset, { id }] of assets.entries()) {
      const query = `{ assets(pagination: { limit: 1, offset: ${offset} }) { id }
        asset(id: "${id}") { id } }`
      assert.deepEqual(await instance.ask(query), { assets: [{ id }], asset: { id } })
    }
  })

  it('6: deleteAsset(id) is an object whose fields include id', async () => {
    const id = await instance.makeAsset('Gone')
    const remove = `mutation { deleteAsset(id: "${id}") { id } }`
    assert.deepEqual(await instance.ask(remove), { deleteAsset: { id } })
    assert.deepEqual(await instance.ask(`{ asset(id: "${id}") { id } }`), { asset: null })
  })

  it('7: the answer has the shape of the query, and errors only if some occurred', async () => {
    const id = await instance.makeAsset('Shape')
    const query = `{ b: asset(id: "${id}") { parent { name id } name } a: __typename }`
    const { data, errors } = await instance.send({ query })
    assert.equal(errors, undefined)
    const text = JSON.stringify(data)
    assert.match(
      text,
      /^\{"b":\{"parent":\{"name":"Root","id":"[^"]+"\},"name":"Shape"\},"a":"Query"\}$/,
    )
    assert.deepEqual(listMessages(await instance.send({ query: '{ nothing }' })), [
      'Cannot query field "nothing" on type "Query".',
    ])
  })

  it('no version is in the path', () => {
    assert.equal(new URL(instance.endpoint.url).pathname, '/api/graphql')
  })
})
