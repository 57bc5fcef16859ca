import { strict as assert } from 'node:assert'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

const yaml = `name: Tank
assetType: tank
signals:
  - {key: level, name: Level, primitiveType: NUMERIC, dataUnit: PERCENT}
links:
  - {moduleId: builtin, functionId: threshold, name: High, constants: {warning: 80},
     inlets: [{signalId: level}]}
`

let run: RunCommand
let folder: string
const onInstance = sharedBySuites(async (suite) => {
  const instance = await testPlatform(suite)
  run = runsCommands(instance)
  folder = instance.platform.config.dataDir
})

describe('the commands of millrace template', () => {
  onInstance()

  it('import a document, show it, export it, and import it again', async () => {
    const file = join(folder, 'tank.yaml')
    await writeFile(file, yaml)
    const imported = await run('template', 'import', file)
    const id = imported.stdout.trim()
    assert.match(id, /^[0-9a-f-]{36}$/, imported.stderr)
    const listed = await run('template', 'list', '--text', 'tan')
    assert.match(listed.stdout, new RegExp(`^${id}  1 signals  1 links  .*  Tank\\n$`))
    const shown = await run('template', 'show', id)
    assert.equal(
      shown.stdout,
      'Tank  tank\nsignal  level  NUMERIC  PERCENT  Level\nlink  builtin  threshold  level  High\n',
    )
    const output = join(folder, 'tank.json')
    assert.equal((await run('template', 'export', id, '--output', output)).code, 0)
    const document = JSON.parse(await readFile(output, 'utf8')) as object
    const printed = await run('template', 'export', id)
    assert.deepEqual(JSON.parse(printed.stdout), document)
    await writeFile(output, JSON.stringify({ ...document, name: 'Vat' }))
    const replaced = await run('template', 'import', output, '--replace', id)
    assert.equal(replaced.stdout, `${id}\n`)
    assert.match((await run('template', 'list')).stdout, / {2}Vat\n$/)
    assert.equal((await run('template', 'delete', id)).code, 0)
    assert.equal((await run('template', 'list')).stdout, '')
  })

  it('list versions, compare two, and restore one', async () => {
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

  it('take a template of an asset', async () => {
    const file = join(folder, 'assets.csv')
    await writeFile(file, 'name\nPump\n')
    assert.equal((await run('asset', 'import', file)).code, 0)
    const [asset = ''] = (await run('pipeline', 'list')).stdout.split(' ')
    const made = await run('template', 'create', asset, '--name', 'Pumps')
    assert.match(made.stdout, /^[0-9a-f-]{36}\n$/, made.stderr)
    const refused = await run('template', 'create', 'nothing', '--name', 'Pumps')
    assert.equal(refused.code, 1)
  })

  it('refuse what is no document with a sentence', async () => {
    const file = join(folder, 'bad.yaml')
    await writeFile(file, 'signals: []\n')
    const refused = await run('template', 'import', file)
    assert.match(refused.stderr, /has no text "name"/)
    assert.equal(refused.code, 2)
  })
})
