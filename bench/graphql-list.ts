import { strict as assert } from 'node:assert'
import { limits } from '../server/src/foundation/kernel/index.ts'
import { defineBench, type Start } from './support/frame/bench.ts'
import {
  compareReached,
  formatShares,
  measuredCells,
  measuredHead,
  type Sides,
} from './support/frame/cells.ts'
import type { Child } from './support/frame/child.ts'
import type { Address } from './support/frame/engines.ts'
import { print, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide } from './support/frame/side.ts'
import { isInstalled } from './support/peers/find.ts'
import type { OpenPostGraphile } from './support/peers/postgraphile.ts'
import {
  type Answer,
  type List,
  listDocument,
  listRequest,
  lists,
  peerListDocument,
  readAssets,
} from './support/platform/catalogue.ts'
import type { OpenedCatalogue } from './support/platform/lists.ts'
import type { Goal } from './support/report/report.ts'

/**
 * Lists of 10,000 assets (`--assets`) by GraphQL with an API token, beside the same rows by hand:
 * SQL and JSON.stringify on node:http, without a credential; and beside PostGraphile on the same
 * tables.
 */
const warmUpSeconds = 1
const names = { ours: 'ours', byHand: 'by hand', peer: 'PostGraphile' }
const graphql = 'GraphQL list'

export const bench = defineBench({
  name: 'graphql-list',
  title: ({ assets, connections, rounds, seconds }) =>
    `GraphQL lists of ${assets} assets, ${connections} connections, ${rounds} x ${seconds} s`,
  options: { connections: 16, assets: 10_000 },
  goals: Object.fromEntries(
    lists.flatMap(({ name }) => [
      [`${name}, peer`, { subject: `${graphql}: ${name}`, unit: 'of PostGraphile', atLeast: 2 }],
      [`${name}, limit`, { subject: `${graphql}: ${name}`, unit: 'of SQL by hand', atLeast: 0.5 }],
    ]),
  ) as Readonly<Record<`${List['name']}, ${'peer' | 'limit'}`, Goal>>,
  async measure({ given, start, database, record }) {
    const generator = start('load/generator')
    const server = start('platform/lists', given.profileDir)
    const byHand = start('platform/lists')
    const address = await database()
    const opened = await server.ask<OpenedCatalogue>('openPlatform', {
      address,
      assets: given.assets,
    })
    const { businessId, token } = opened
    const port = await byHand.ask<number>('openByHand', { address, businessId })
    const peer = isInstalled('postgraphile') ? await openPeer(start, address) : undefined
    const rows: string[][] = []
    for (const [index, list] of lists.entries()) {
      const load = { connections: given.connections, warmUpSeconds }
      const makeSide = (name: string, { server, port, path, body }: Asked) => {
        const requests = [listRequest(path, body, token)]
        return httpSide(name, { server, generator, load: { ...load, port, requests } })
      }
      const query = JSON.stringify({ query: listDocument(list) })
      const all: Record<string, Asked> = {
        [names.ours]: { server, port: opened.port, path: '/api/graphql', body: query },
        [names.byHand]: { server: byHand, port, path: `/${index}`, body: query },
      }
      if (peer !== undefined) {
        const body = JSON.stringify({ query: peerListDocument(list, businessId) })
        all[names.peer] = { ...peer, path: '/graphql', body }
      }
      await requireSame(Object.values(all), token)
      const sides = Object.entries(all).map(([name, asked]) => makeSide(name, asked))
      const measured = await alternate(sides, given.rounds, given.seconds)
      rows.push(...toCells(list, measured))
      record(`${list.name}, peer`, compareReached(measured, names.ours, { peer: names.peer }))
      record(`${list.name}, limit`, compareReached(measured, names.ours, { limit: names.byHand }))
    }
    print(table([['', ...measuredHead, 'of SQL by hand', 'of PostGraphile'], ...rows]))
  },
})

/** The address of a list, and its document. */
type Asked = {
  readonly server: Child
  readonly port: number
  readonly path: string
  readonly body: string
}

async function openPeer(start: Start, address: Address) {
  const server = start('peers/postgraphile')
  const asked: OpenPostGraphile = { address, connections: limits.databaseConnectionsMax }
  return { server, port: await server.ask<number>('open', asked) }
}

/** All answer with the same assets and signals, or there is nothing to compare. */
async function requireSame(all: readonly Asked[], token: string): Promise<void> {
  const answers = await Promise.all(
    all.map(async ({ port, path, body }) => {
      const headers = { authorization: `Automation ${token}`, 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${port}${path}`
      const answer = await fetch(url, { method: 'POST', headers, body })
      return readAssets((await answer.json()) as Answer)
    }),
  )
  for (const other of answers.slice(1)) assert.deepEqual(answers[0], other)
}

function toCells(list: List, measured: Sides): string[][] {
  return [...measured].map(([name, all]) => {
    const isOurs = name === names.ours
    const shares = [names.byHand, names.peer].map((other) =>
      isOurs ? formatShares(all, measured.get(other)) : '',
    )
    return [`${list.name}, ${name}`, ...measuredCells(all), ...shares]
  })
}

if (import.meta.main) await runBench(bench)
