import { strict as assert } from 'node:assert'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

const yaml = `name: Farm
panels:
  - {id: note, type: text, text: Shift A, column: 0, row: 0, width: 4, height: 2}
`

let run: RunCommand
let folder: string
const onInstance = sharedBySuites(async (suite) => {
  const instance = await testPlatform(suite)
  run = runsCommands(instance)
  folder = instance.platform.config.dataDir
})

describe('the commands of millrace dashboard', () => {
  onInstance()

  it('import a document, list it, export it, change it, and delete it', async () => {
    const file = join(folder, 'farm.yaml')
    await writeFile(file, yaml)
    const imported = await run('dashboard', 'import', file)
    const id = imported.stdout.trim()
    assert.match(id, /^[0-9a-f-]{36}$/, imported.stderr)
    const listed = await run('dashboard', 'list', '--text', 'far')
    assert.match(listed.stdout, new RegExp(`^${id}  1 panels  version 1  .*  Farm\\n$`))
    const output = join(folder, 'farm.json')
    assert.equal((await run('dashboard', 'export', id, '--output', output)).code, 0)
    const document = JSON.parse(await readFile(output, 'utf8')) as object
    assert.deepEqual(JSON.parse((await run('dashboard', 'export', id)).stdout), document)
    await writeFile(output, JSON.stringify({ ...document, name: 'Vats' }))
    assert.equal((await run('dashboard', 'import', output, '--replace', id)).stdout, `${id}\n`)
    assert.match((await run('dashboard', 'list')).stdout, /version 2 .* {2}Vats\n$/)
    assert.equal((await run('dashboard', 'delete', id)).code, 0)
    assert.equal((await run('dashboard', 'list')).stdout, '')
  })

  it('name what is wrong with a file', async () => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, '{"name": "x", "panels": [{"id": "a", "type": "text"}]}')
    const refused = await run('dashboard', 'import', file)
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /panels\[0\]\.column/)
    await writeFile(file, '{"name": "x"}')
    assert.match((await run('dashboard', 'import', file)).stderr, /no list "panels"/)
  })
})
