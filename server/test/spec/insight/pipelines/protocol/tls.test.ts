import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { defineFunction, defineModule, fetchHandler } from '@millrace/insight-sdk'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { comes } from '../../../../fixtures/demo.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { openServerCa } from '../../../../fixtures/peers/server-certificates.ts'
import { exampleConnector } from '../../../../fixtures/platform.ts'
import { startInstance } from '../../../../fixtures/processes/instance-process.ts'
import {
  type Killable,
  killableInstance,
} from '../../../../fixtures/processes/killable-instance.ts'
import { askGraphql } from '../../../../fixtures/wire/ask.ts'
import { newDevice } from '../../../../fixtures/wire/device.ts'
import { openOpenssl } from '../../../../fixtures/wire/openssl.ts'

const double = defineFunction({
  id: 'double',
  name: 'Double',
  description: 'Twice the value',
  inlets: { x: { name: 'X', primitive_type: 'NUMERIC' } },
  outlets: { y: { name: 'Y', primitive_type: 'NUMERIC' } },
  process({ inlet, emit }) {
    for (const source of inlet('x')) emit('y', source, source.value * 2)
  },
})
const doubles = { name: 'Doubles', description: 'Doubles values', functions: [double] }
const handle = fetchHandler(defineModule(doubles))

type Pair = { readonly cert: string; readonly key: string }

/** The module on a free port, as a host with HTTPS serves it. */
async function served(t: TestContext, pair: Pair): Promise<number> {
  const server = createServer(pair, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '/', headers } = request
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {}
    const init = { method, headers: headers as Record<string, string>, ...body }
    const answer = await handle(new Request(`https://${headers.host}${url}`, init))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  })
  atEnd(t, () => ended(server))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function ended(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}

/** Things that people made before: a device's asset, and a token. */
async function prepared(open: Killable['open']) {
  const platform = await open()
  try {
    const { id: businessId } = await platform.accounts.createBusiness({ name: 'Private CA' })
    const connector = await platform.provisioning.connectors.create(businessId, exampleConnector)
    const { token } = await platform.accounts.createToken(businessId, {
      name: 'test',
      role: 'Administrator',
      rateLimits: { requests: 10_000, timeMs: 1_000_000 },
    })
    const asset = await platform.assets.create(wholeView(businessId), {
      name: 'Pump',
      device: { connectorId: connector.id, identity: 'pump' },
      signals: [{ name: 'Level', primitiveType: 'NUMERIC', source: { alias: 'level' } }],
    })
    return { token, connectorId: connector.id, assetId: asset.id }
  } finally {
    await platform.close()
  }
}

/** An instance whose operator trusts one private authority, and three servers of the module. */
async function instanceWithCa(t: TestContext) {
  const openssl = await openOpenssl(t)
  const trusted = await openServerCa(openssl)
  const other = await openServerCa(openssl)
  const ports = {
    good: await served(t, await trusted.issue({ names: ['localhost'] })),
    otherName: await served(t, await trusted.issue({ names: ['insight.example.com'] })),
    untrusted: await served(t, await other.issue({ names: ['localhost'] })),
  }
  const { settings, open } = await killableInstance(t, {
    NODE_EXTRA_CA_CERTS: await openssl.write('operator-ca.pem', trusted.ca.pem),
    MILLRACE_OUTBOUND_ALLOW: Object.values(ports)
      .map((port) => `localhost:${port}`)
      .join(','),
    MILLRACE_DEMO: 'off',
  })
  const made = await prepared(open)
  const instance = await startInstance(settings)
  atEnd(t, () => instance.kill())
  const add = async (url: string) => {
    const response = await fetch(`${instance.httpUrl}/api:1/modules`, {
      method: 'POST',
      headers: { Authorization: `Automation ${made.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    return { status: response.status, body: (await response.json()) as { id: string } }
  }
  return { ...made, httpUrl: instance.httpUrl, ports, add }
}

describe('a module over HTTPS', () => {
  it('is called with its certificate checked, from the definition to the values', async (t) => {
    const { add, assetId, connectorId, httpUrl, ports, token } = await instanceWithCa(t)
    const added = await add(`https://localhost:${ports.good}`)
    assert.equal(added.status, 201, JSON.stringify(added.body))

    const ask = <Data>(query: string) => askGraphql<Data>(httpUrl, token, query)
    type Signals = { asset: { signals: { id: string; lastValue: { value: number } | null }[] } }
    const signals = async () => {
      const query = `{ asset(id: "${assetId}") { signals { id lastValue { value } } } }`
      return (await ask<Signals>(query)).asset.signals
    }
    const [level] = await signals()
    await ask(`mutation { linkFunction(input: { assetId: "${assetId}", functionId: "double",
      moduleId: "${added.body.id}", inlets: [{ signalId: "${level?.id}" }] }) { id } }`)
    const device = await newDevice(httpUrl, connectorId, 'pump')
    assert.equal((await device.write('level=10')).status, 204)
    const values = await comes(async () => {
      const found = (await signals()).map(({ lastValue }) => lastValue?.value)
      return found.includes(20) ? found : undefined
    })
    assert.deepEqual(values.toSorted(), [10, 20])

    for (const port of [ports.untrusted, ports.otherName]) {
      const { status, body } = await add(`https://localhost:${port}`)
      assert.equal(status, 502, JSON.stringify(body))
      assert.match(JSON.stringify(body), /module_failed/)
      assert.match(JSON.stringify(body), /UNABLE_TO_VERIFY|SELF_SIGNED|ALTNAME|certificate/i)
    }
  })
})
