import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hostKinds, pathKinds, RouteTable, type RoutingRule, routes } from './routes.ts'

const page = join(import.meta.dirname, '../../../../docs/internals/routing.md')

function cell(values: readonly string[], all: readonly string[]): string {
  return values.length === all.length ? 'any' : values.map((value) => `\`${value}\``).join(', ')
}

function formatRow({ kind, hosts, paths, handler }: RoutingRule): string {
  const columns = [cell(hosts, hostKinds), cell(paths, pathKinds)]
  return `| ${[kind, ...columns, `\`${handler}\``].join(' | ')} |`
}

const everything: RoutingRule = {
  kind: 'request',
  hosts: hostKinds,
  paths: pathKinds,
  handler: 'deviceApi',
}

test('docs/internals/routing.md lists the routes in their order', () => {
  const lines = readFileSync(page, 'utf8').split('\n')
  const rows = lines.filter((line) => /^\| (request|websocket) \|/.test(line))
  assert.deepEqual(rows, routes.map(formatRow))
})

test('the order of the routes does not matter', () => {
  const table = new RouteTable()
  const reversed = new RouteTable(routes.toReversed())
  for (const host of hostKinds) {
    for (const path of pathKinds) {
      const key = { host, path }
      assert.equal(reversed.find('request', key), table.find('request', key))
      assert.equal(reversed.find('websocket', key), table.find('websocket', key))
    }
  }
})

test('two routes that answer the same request are refused', () => {
  const other: RoutingRule = {
    ...everything,
    hosts: ['foreign'],
    paths: ['graphql'],
    handler: 'graphql',
  }
  assert.throws(() => new RouteTable([everything, other]), {
    message:
      'two routes, to deviceApi and graphql, answer a request: ' + 'host foreign, path graphql',
  })
  assert.doesNotThrow(() => new RouteTable([everything, { ...other, kind: 'websocket' }]))
})

test('a request without a route, and a route without a request, are refused', () => {
  const paths = pathKinds.filter((path) => path !== 'other')
  assert.throws(() => new RouteTable([{ ...everything, paths }]), {
    message: 'no route answers a request: host instance, path other',
  })
  const nothing: RoutingRule = { ...everything, hosts: [], handler: 'management' }
  assert.throws(() => new RouteTable([everything, nothing]), {
    message: 'a route to management answers nothing',
  })
})

test('a websocket has one route whatever the registry has for its host', () => {
  const table = new RouteTable()
  for (const path of pathKinds) {
    const found = table.findUnderDomain('websocket', { path })
    assert.equal(found, path === 'device' ? undefined : 'solution')
  }
})
