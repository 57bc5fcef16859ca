import { defineBench } from './support/frame/bench.ts'
import { measuredCells, measuredHead, toRates } from './support/frame/cells.ts'
import { print, ratios, table } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, httpSide } from './support/frame/side.ts'
import { listDocument, listRequest, lists } from './support/platform/catalogue.ts'
import type { OpenedViews } from './support/platform/views.ts'

/**
 * The causes that make a GraphQL list slower than the same list of 10,000 assets for a caller who
 * sees all of them: a million assets, a user of one of a thousand groups, and the counting of an
 * API token's requests, beside a session, which is not counted. And the chart of a year.
 */
const few = 10_000
const warmUpSeconds = 1
const [small, , large] = lists
const share = (subject: string, atLeast: number) => ({ subject, unit: 'times', atLeast })

export const bench = defineBench({
  name: 'graphql-views',
  title: ({ assets, connections, rounds, seconds }) =>
    `GraphQL: ${assets} assets beside ${few}, ${connections} connections, ${rounds} x ${seconds} s`,
  options: { connections: 16, assets: 1_000_000 },
  goals: {
    'growth, 20': share('20 assets of 1,000,000, of those of 10,000', 0.8),
    'growth, 100': share('100 assets + 5 signals each of 1,000,000, of those of 10,000', 0.8),
    subtree: share('20 assets for a user of one group of 1,000, of the whole view', 0.8),
    counting: share('20 assets with an API token, of those with a session', 0.95),
    year: { subject: 'the chart of a year by days, per second', unit: '' },
  },
  async measure({ given, start, database, record }) {
    const generator = start('load/generator')
    const open = async (assets: number) => {
      const server = start('platform/views', given.profileDir)
      const address = await database()
      return { server, ...(await server.ask<OpenedViews>('openViews', { address, assets })) }
    }
    const [here, many] = [await open(few), await open(given.assets)]
    const makeSide = (name: string, at: typeof here, query: string, authorization: string) => {
      const credential = authorization.replace('Automation ', '')
      const request = listRequest('/api/graphql', JSON.stringify({ query }), credential)
      const own = request.replace(`Automation ${credential}`, authorization)
      const { server, port } = at
      const load = { connections: given.connections, warmUpSeconds, port, requests: [own] }
      return httpSide(name, { server, generator, load })
    }
    const [list20, list100] = [listDocument(small), listDocument(large)]
    const year = `{ asset(id: "${here.assetId}") { signals { data(options: { limit: 366,
      from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z", every: "1d" }) {
      timestamp value } } } }`
    const measured = await alternate(
      [
        makeSide('20', here, list20, here.whole),
        makeSide('20 of many', many, list20, many.whole),
        makeSide('100 + 5', here, list100, here.whole),
        makeSide('100 + 5 of many', many, list100, many.whole),
        makeSide('20 of one group', here, list20, here.subtree),
        makeSide('20, session', here, list20, here.session),
        makeSide('year', here, year, here.whole),
      ],
      given.rounds,
      given.seconds,
    )
    const rates = (name: string) => toRates(measured.get(name))
    const compareRates = (name: string, of: string) => ({
      figure: ratios(rates(name), rates(of)),
      perSecond: rates(name),
    })
    record('growth, 20', compareRates('20 of many', '20'))
    record('growth, 100', compareRates('100 + 5 of many', '100 + 5'))
    record('subtree', compareRates('20 of one group', '20'))
    record('counting', compareRates('20', '20, session'))
    record('year', { figure: rates('year') })
    const rows = [...measured].map(([name, all]) => [name, ...measuredCells(all)])
    print(table([['', ...measuredHead], ...rows]))
  },
})

if (import.meta.main) await runBench(bench)
