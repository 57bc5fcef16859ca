import { strict as assert } from 'node:assert'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import {
  type RunCommand,
  runsAsOperator,
  runsCommands,
} from '../../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const yaml = `name: Tank
assetType: tank
signals:
  - {key: level, name: Level, primitiveType: NUMERIC, dataUnit: PERCENT}
links:
  - {moduleId: builtin, functionId: threshold, name: High, constants: {warning: 80},
     inlets: [{signalId: level}]}
`

describe('the commands of reports, of versions of templates, and of the ledger', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let run: RunCommand
  let folder: string

  before(async () => {
    instance = await testPlatform(context)
    run = runsCommands(instance)
    folder = instance.platform.config.dataDir
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

  it('versions of a template are listed, compared and restored', async () => {
    const file = join(folder, 'versions.yaml')
    await writeFile(file, yaml)
    const id = (await run('template', 'import', file)).stdout.trim()
    await writeFile(file, 'name: Vat\nsignals: []\n')
    const replace = ['template', 'import', file, '--replace', id, '--current']
    assert.equal((await run(...replace, '1')).stdout, `${id}\n`)
    const late = await run(...replace, '1')
    assert.match(late.stderr, /at version 2 now/)
    assert.equal(late.code, 1)
    const listed = (await run('template', 'versions', id)).stdout.split('\n')
    const second = 'name; assetType; signal "Level" removed; link "High" removed'
    assert.match(listed[0] ?? '', new RegExp(`^version 2  .*  token:.*  ${second}$`))
    assert.match(listed[1] ?? '', /^version 1 .*signal "Level" added; link "High" added$/)
    const compared = await run('template', 'compare', id, '--to', '1', '--from', '2')
    assert.equal(compared.stdout, 'name\nassetType\nsignal "Level" added\nlink "High" added\n')
    const restored = await run('template', 'restore', id, '--to', '1', '--current', '2')
    assert.equal(restored.stdout, 'version 3\n')
    const first = await run('template', 'export', id, '--number', '1')
    assert.equal((await run('template', 'export', id)).stdout, first.stdout)
    assert.equal((await run('template', 'restore', id, '--to', '9')).code, 1)
  })

  it('the ledger is printed with the counts per stage and hour', async () => {
    const { platform, connector } = instance
    const operate = runsAsOperator(instance)
    const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
    await platform.provisioning.activate(connector, 'a', origin)
    const { code, stdout, stderr } = await operate('ledger', 'show')
    assert.equal(code, 0, stderr)
    const [head, ...rows] = stdout.trimEnd().split('\n')
    assert.match(head ?? '', /^hour +stage +in +out +failed$/)
    assert.ok(
      rows.some((row) => /^\d{4}-\d\d-\d\dT\d\d +log +(\d+) +\1 +0$/.test(row)),
      stdout,
    )
    const [first] = JSON.parse((await operate('ledger', 'show', '--rows', '1', '--json')).stdout)
    assert.deepEqual(Object.keys(first), ['hour', 'stage', 'in', 'out', 'failed'])
    assert.equal((await operate('ledger', 'show', '--rows', 'x')).code, 2)
  })
})
