import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readGoals } from '../../run/benches.ts'
import { type KeptRow, mergeRows } from './kept-rows.ts'
import { pageWith } from './page.ts'
import { isMet, toRow } from './report.ts'

const docs = join(import.meta.dirname, '..', '..', '..', 'docs', 'internals')
const read = (file: string) => readFileSync(join(docs, file), 'utf8')

const goal = { subject: 'writes', unit: 'of bare', atLeast: { embedded: 0.5, external: 0.3 } }
const benches = new Map([['writes', { share: goal }]])
const run = { at: '2026-01-02T03:04:05.000Z', machine: 'a machine', rounds: 3, seconds: 2 }
const kept = (figure: readonly number[] | string, engine?: 'embedded' | 'external'): KeptRow => ({
  ...{ bench: 'writes', run, ...(engine === undefined ? {} : { engine }) },
  ...toRow(['share', goal], engine, typeof figure === 'string' ? figure : { figure }),
})
const page = `
<!-- bench: summary -->
<!-- end of summary -->
<!-- bench: table -->
<!-- end of table -->
`

describe('the page of performance', () => {
  test('has the figures of performance.json, and the goals of the scripts', async () => {
    const { rows } = JSON.parse(read('performance.json')) as { rows: KeptRow[] }
    const now = mergeRows(rows, [], await readGoals())
    const stale = 'write it anew: npm run bench -- --page'
    assert.deepEqual(rows, now, stale)
    assert.equal(read('performance.md'), pageWith(read('performance.md'), now), stale)
  })

  test('shows each figure with its spread, its bound and whether that is met', () => {
    const text = pageWith(page, [kept([0.4, 0.2, 0.3], 'embedded'), kept([0.4, 0.5], 'external')])
    assert.match(text, /\| embedded \| at least 0\.5 \| \*\*0\.30 \(0\.20-0\.40\) missed\*\* \|/)
    assert.match(text, /\| external \| at least 0\.3 \| 0\.45 \(0\.40-0\.50\) met \|/)
    assert.match(text, /Of 2 goals 1 are met and 1 missed; 0 have no figure yet/)
    assert.match(text, /2026-01-02, 3 rounds/)
    assert.equal(pageWith(text, [kept([0.4], 'external')]).includes('embedded |'), false)
  })

  test('says why there is no figure', () => {
    assert.match(pageWith(page, [kept('no server answers')]), /none: no server answers/)
  })

  test('is refused without its marks', () => {
    assert.throws(() => pageWith('# Performance', []), /has no <!-- bench: summary -->/)
  })
})

describe('rows that are kept', () => {
  test('are replaced by newer figures of the same engine, and by nothing else', () => {
    const before = [kept([0.1], 'embedded'), kept([0.2], 'external')]
    const figures = (rows: readonly KeptRow[]) => rows.map(({ figure }) => figure?.median)
    assert.deepEqual(figures(mergeRows(before, [kept([0.6], 'embedded')], benches)), [0.6, 0.2])
    assert.deepEqual(figures(mergeRows(before, [kept('failed', 'embedded')], benches)), [0.1, 0.2])
  })

  test('have the goals that their script has now', () => {
    const lower = new Map([['writes', { share: { ...goal, atLeast: 0.05 } }]])
    const [row] = mergeRows([kept([0.1], 'embedded')], [], lower)
    assert.equal(row && isMet(row), true)
    assert.deepEqual(mergeRows([kept([0.1])], [], new Map()), [])
    const unmeasured = mergeRows([], [], benches)
    assert.equal(unmeasured[0]?.missing, 'not measured yet')
    const measured = mergeRows(unmeasured, [kept([0.6], 'embedded')], benches)
    assert.deepEqual(
      measured.map(({ engine }) => engine),
      ['embedded'],
    )
  })

  test('hold no figure that is no number', () => {
    assert.equal(kept([Number.NaN]).missing, 'not measured')
    assert.equal(kept([]).missing, 'not measured')
  })
})
