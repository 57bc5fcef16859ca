import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { contracts } from '../../../src/management/index.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { openWorld, type World } from './world.ts'

/** The path of a route; what is not known by its name gets the id. */
const read = (path: string, paths: Readonly<Record<string, string>>, id: string) =>
  path.replaceAll(/:([a-z_]+)/gi, (whole, name: string) =>
    whole === ':1' ? whole : encodeURIComponent(paths[name] ?? id),
  )

describe('every route of the management API', () => {
  const context = suiteContext()
  let world: World
  before(async () => {
    world = await openWorld(context)
  })

  /** Each route with each id where its path has one; the bodies of answers, and the statuses. */
  async function walk(as: string, each: (route: string, status: number, body: string) => void) {
    for (const { method, path, permission, id } of contracts) {
      if (permission === 'none') continue
      const hasParameters = /:[a-z]/.test(path)
      for (const one of hasParameters ? world.ids : ['']) {
        const url = `${world.httpUrl}${read(path, world.paths, one)}`
        const stop = new AbortController()
        const response = await fetch(url, {
          method,
          signal: stop.signal,
          headers: { authorization: as, 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: '{}' }),
        })
        const type = response.headers.get('content-type') ?? ''
        const isStream = type.startsWith('text/event-stream')
        each(`${id} ${one}`, response.status, isStream ? '' : await response.text())
        stop.abort()
      }
    }
  }

  for (const who of ['other', 'subtree'] as const) {
    it(`shows and changes nothing of what is not seen: ${who}`, async () => {
      const was = await world.state()
      let routes = 0
      await walk(world.tokens[who], (route, status, body) => {
        routes += 1
        assert.ok(!body.includes(world.marker), `${route}: ${status} ${body}`)
        assert.ok(status < 500 || status === 503, `${route}: ${status} ${body}`)
      })
      assert.equal(await world.state(), was, 'nothing changed')
      assert.ok(routes > 100, `${routes} calls`)
    })
  }

  it('lets a Viewer change nothing', async () => {
    const was = await world.state()
    const needs = new Map(contracts.map(({ id, permission }) => [id, permission]))
    await walk(world.tokens.viewer, (route, status) => {
      const permission = needs.get(route.split(' ')[0] as never) ?? ''
      if (['account', 'View Asset', 'View Asset Data'].includes(permission)) return
      assert.equal(status, 403, route)
    })
    assert.equal(await world.state(), was, 'nothing changed')
  })

  it('shows it to who sees it: the walk can fail', async () => {
    const shown = new Set<string>()
    const { tokens, marker } = world
    const of = ['listGroups', 'listUsers', 'listApiTokens', 'getIdentity', 'listIdentities']
    for (const { method, path, id } of contracts) {
      if (method !== 'GET' || !of.includes(id)) continue
      const url = `${world.httpUrl}${read(path, world.paths, '')}`
      const response = await fetch(url, { headers: { authorization: tokens.whole } })
      if ((await response.text()).includes(marker)) shown.add(id)
    }
    assert.deepEqual([...shown].sort(), [...of].sort())
  })
})
