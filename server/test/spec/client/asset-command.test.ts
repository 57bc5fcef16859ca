import { strict as assert } from 'node:assert'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../src/groups/index.ts'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('the commands of millrace asset and report', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let run: RunCommand
  let folder: string

  before(async () => {
    instance = await testPlatform(context)
    run = runsCommands(instance)
    folder = instance.platform.config.dataDir
  })

  it('assets are imported with a line for each bad row, and exported', async () => {
    const file = join(folder, 'new.csv')
    await writeFile(file, 'name,latitude\nPump,\nHalf,1\nGate,\n')
    const tried = await run('asset', 'import', file, '--dry-run')
    assert.equal(tried.code, 1)
    assert.match(tried.stdout, /^row 2: invalid_argument: .*\n3 rows: 2 created.*dry run/s)
    const done = await run('asset', 'import', file)
    assert.match(done.stdout, /3 rows: 2 created, 0 changed, 0 unchanged, 1 failed\n$/)
    const { stdout } = await run('asset', 'export')
    assert.match(stdout, /^id,name,.*\n[^,]+,Pump,.*\n[^,]+,Gate,/)
    const output = join(folder, 'out.csv')
    assert.equal((await run('asset', 'export', '--text', 'Gate', '--output', output)).code, 0)
    const text = await readFile(output, 'utf8')
    assert.equal(text.split('\r\n').length, 3)
    const again = await run('asset', 'import', output)
    assert.equal(again.stdout, '1 rows: 0 created, 0 changed, 1 unchanged, 0 failed\n')
    assert.equal(again.code, 0)
  })

  it('a report is made, shown, downloaded and deleted', async () => {
    const view = wholeView(instance.businessId)
    const { assets } = instance.platform
    const signals = [{ name: 'level', primitiveType: 'NUMERIC' as const }]
    const tank = await assets.create(view, { name: 'Tank', signals })
    const [level] = await assets.signals.ofAssets(view, [tank.id])
    const period = ['--from', '2026-01-01', '--to', '2026-02-01', '--name', 'Tank']
    const made = await run('report', 'create', '--signal', `${level?.id}=Level`, ...period)
    const id = made.stdout.trim()
    assert.match(id, /^[0-9a-f-]{36}$/, made.stderr)
    let shown = await run('report', 'show', id)
    while (/ waiting /.test(shown.stdout)) shown = await run('report', 'show', id)
    assert.match(shown.stdout, / completed .* 0 values +Tank_2026-01-01_2026-02-01\.csv\n$/)
    assert.equal((await run('report', 'list')).stdout, shown.stdout)
    const output = join(folder, 'report.csv')
    assert.equal((await run('report', 'download', id, '--output', output)).stdout, `${output}\n`)
    assert.equal(await readFile(output, 'utf8'), 'timestamp,asset,signal,unit,value\r\n')
    const url = await run('report', 'url', id, '--seconds', '60')
    assert.match(url.stdout, /^https?:.*\/api:1\/report-content\/[\w-]+\n$/)
    const series = ['--every', '1d', '--aggregate', 'max']
    const maxima = await run('report', 'create', '--signal', `${level?.id}`, ...period, ...series)
    const [{ query } = assert.fail()] = await instance.platform.reports.list(view, '')
    const asked = [{ id: level?.id, every: '1d', aggregate: 'max' }]
    assert.deepEqual([query.signals, maxima.code], [asked, 0])
    assert.equal((await run('report', 'delete', id)).code, 0)
    assert.equal((await run('report', 'show', id)).code, 1)
  })
})
