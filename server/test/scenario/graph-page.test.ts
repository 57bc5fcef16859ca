import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { testPlatform } from '../fixtures/platform.ts'
import { pastePage, readBlocks, readersFolder } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const tools = ['bash', 'curl', 'jq', 'python3']
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined)
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`

describe('docs/using/graph.md, pasted as it stands', { skip }, () => {
  const suite = suiteContext()
  let lines: string[]
  let folder: string
  before(async () => {
    const instance = await testPlatform(suite)
    folder = await readersFolder(suite)
    const { token: TOKEN, httpUrl: MILLRACE } = instance
    const ran = await pastePage('graph.md', { folder, settings: { MILLRACE, TOKEN } })
    assert.equal(ran.stderr, '')
    lines = ran.stdout.split('\n')
  })

  const prints = (title: string, ...expected: readonly string[]) =>
    it(`${title}: prints what it says`, () => {
      const start = lines.indexOf(expected[0] ?? '')
      assert.deepEqual(lines.slice(start, start + expected.length), expected, lines.join('\n'))
    })

  it('has ten recipes, each with a command', async () => {
    const page = await readFile(join(folder, 'docs', 'using', 'graph.md'), 'utf8')
    const recipes = page.split(/^## \d+\. /m).slice(1)
    assert.equal(recipes.length, 10)
    for (const recipe of recipes) assert.match(recipe, /^```sh$/m)
    assert((await readBlocks('graph.md')).length > 10)
  })

  prints('the status for another tool', 'Pump 7\twarning\t2026-02-09T00:00:00.000000Z')
  prints('assets from manufacturing', 'Press 101', 'Press 102', 'invalid_argument')
  prints('invitations from billing', 'invited owner@example.com as Viewer')

  it('a month as CSV: has a line for each hour with a value', async () => {
    const rows = (await readFile(join(folder, 'month.csv'), 'utf8')).trim().split('\n')
    assert.equal(rows.length, 31 * 4)
    assert.deepEqual(rows.slice(0, 2), [
      '"2026-01-01T00:00:00.000000Z",0',
      '"2026-01-01T06:00:00.000000Z",0',
    ])
  })

  it('a panel of Grafana: has a point for each day of the range', () => {
    assert.equal(lines[lines.indexOf('node: warning') - 1], '7')
  })
  prints('a subscription in Node and in Python', 'node: warning', 'python: warning')
  prints('conditions that somebody knows of', 'Pump 7 warning: acknowledged')

  it('all assets, page by page: has each once', async () => {
    const names = (await readFile(join(folder, 'names.txt'), 'utf8')).trim().split('\n')
    assert.deepEqual(names, ['Pump 7', 'Press 101', 'Press 102'])
  })
  prints('a token that is replaced', '200', '401')
  prints('a chart of a year', '40\t0\t0\t0')
})
