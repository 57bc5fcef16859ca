import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { signedInConsole, skip, type TestConsole } from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

/** Bytes by gzip. React and the router are 95,000 of those of the first load. */
const firstLoadMax = 161_000
const germanMax = 4_000
const pageMax = 80_000
const formsMax = 115_000
const editorMax = 220_000

/** The pages with more than the first load; the heavy ones have an editor or a diagram. */
const pages = [
  { path: '/connectors', max: pageMax },
  { path: '/assets', max: pageMax },
  { path: '/conditions', max: pageMax },
  { path: '/dashboards', max: pageMax },
  { path: '/solutions', max: pageMax },
  { path: '/marketplace', max: pageMax },
  { path: '/failures', max: pageMax },
  { path: '/setup', max: formsMax },
  { path: '/account', max: pageMax },
  { path: '/connect', max: editorMax },
] as const

describe('the weight of the console', { skip }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  /** The bytes of each file by gzip. */
  const known = new Map<string, number>()
  let first: ReadonlyMap<string, number>

  before(async () => {
    ;({ instance, shown, page } = await signedInConsole(suite, { expected: /status of 403/ }))
    // A stream that stays open leaves the network never idle; without it lists read by timers.
    await page.route('**/api:1/changes', (route) => route.fulfill({ status: 403, json: {} }))
    first = await load('/')
  })

  /** The files of the build that a page loaded, each with its bytes by gzip. */
  async function load(path: string): Promise<Map<string, number>> {
    await page.goto(`${shown.origin}${path}`)
    await page.getByRole('button', { name: instance.account.email, exact: true }).waitFor()
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
    const loaded = await page.evaluate(
      `performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)`,
    )
    const files = new Set(['/', ...(loaded as string[]).filter((file) => isOfBuild(file))])
    for (const file of files) if (!known.has(file)) known.set(file, await weigh(file))
    return new Map([...files].map((file) => [file, known.get(file) ?? 0]))
  }

  async function weigh(file: string): Promise<number> {
    const answer = await fetch(`${shown.origin}${file}`)
    return gzipSync(Buffer.from(await answer.arrayBuffer())).length
  }

  /** The same, without what the first load has loaded already. */
  async function loadMore(path: string): Promise<Map<string, number>> {
    const weights = await load(path)
    for (const file of first.keys()) weights.delete(file)
    return weights
  }

  it('loads at most 161 KB at first', () => {
    const kinds = new Set([...first.keys()].map((file) => file.slice(file.lastIndexOf('.'))))
    assert.ok(kinds.has('.js') && kinds.has('.css'), 'scripts and style sheets were found')
    assert.ok(sum(first) <= firstLoadMax, say(first))
  })

  it('loads at most 4 KB more in German', async () => {
    await page.evaluate(`localStorage.setItem('millrace.language', 'de')`)
    const weights = await loadMore('/')
    await page.evaluate(`localStorage.removeItem('millrace.language')`)
    assert.deepEqual([...weights.keys()].map(chunkName), ['translations-de-console'])
    assert.ok(sum(weights) <= germanMax, say(weights))
  })

  for (const { path, max } of pages) {
    it(`loads at most ${max / 1_000} KB more for ${path}`, async () => {
      const weights = await loadMore(path)
      assert.ok(weights.size > 0, 'the page has files of its own')
      assert.ok(sum(weights) <= max, say(weights))
    })
  }
})

const isOfBuild = (file: string) => file.startsWith('/assets/')

function sum(weights: ReadonlyMap<string, number>): number {
  return [...weights.values()].reduce((all, one) => all + one, 0)
}

/** `/assets/pages-DSvUcgmI.js` is that of `pages`. */
function chunkName(file: string): string {
  return file.replace(/^\/assets\/|-[\w-]{8}\.\w+$/g, '')
}

/** The total and the heaviest files, for whoever has to make them lighter. */
function say(weights: ReadonlyMap<string, number>): string {
  const heaviest = [...weights].sort(([, a], [, b]) => b - a).slice(0, 12)
  return [`${sum(weights)} bytes`, ...heaviest.map(([file, bytes]) => `${bytes} ${file}`)].join(
    '\n',
  )
}
