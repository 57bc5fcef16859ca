import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { formatHelp } from '../../src/platform/cli/command.ts'
import { commands } from '../../src/platform/cli/index.ts'
import { type Examples, openExamples } from '../fixtures/commands/examples.ts'
import { millrace } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

describe('the commands of millrace', () => {
  const suite = suiteContext()
  let folder: string
  let paste: Examples['paste']

  before(async () => {
    const examples = await openExamples(suite)
    folder = examples.folder
    paste = examples.paste
  })

  it('each help shows what the command does, and its example', () => {
    for (const command of commands) {
      assert.match(formatHelp(command), /^millrace [^\n]+\n[\s\S]*Example:\n {2}\S/, command.name)
    }
  })

  it('--help shows the help of a command', async () => {
    const [first] = commands
    assert.ok(first !== undefined)
    const { stdout } = await paste(`npx millrace ${first.name} --help`)
    assert.equal(stdout.trimEnd(), formatHelp(first).trimEnd())
  })

  it('connector settings: changes what the file names, and takes back what it shows', async () => {
    const settings = 'npx millrace connector settings --business Demo --connector demo'
    await writeFile(join(folder, 'part.json'), '{"description": "of a file"}')
    const shown = async (options = '') => JSON.parse((await paste(settings + options)).stdout)
    const before = await shown()
    const changed = await shown(' --file part.json | tee shown.json')
    assert.deepEqual(changed, { ...before, description: 'of a file' })
    assert.deepEqual(await shown(' --file shown.json'), changed)
    await writeFile(join(folder, 'bad.json'), '{"provisioning": {"auth_type": "magic"}}')
    await assert.rejects(paste(`${settings} --file bad.json`), /provisioning\.auth_type/)
    assert.deepEqual(await shown(), changed)
  })

  it('solution settings: changes what the file names, and shows all', async () => {
    await paste('npx millrace solution create --business Demo --id plain --name Plain')
    await writeFile(join(folder, 'cold.json'), '{"reuse_vm": false, "limits": {"cpu_ms": 20}}')
    const settings = 'npx millrace solution settings --business Demo --solution plain'
    const shown = { name: 'Plain', description: '', limits: { cpu_ms: 20 }, reuse_vm: false }
    assert.deepEqual(JSON.parse((await paste(`${settings} --file cold.json`)).stdout), shown)
    await writeFile(join(folder, 'bad.json'), '{"limits": {"cpu_ms": 0}}')
    await assert.rejects(paste(`${settings} --file bad.json`), /limits\.cpu_ms must be/)
    assert.deepEqual(JSON.parse((await paste(settings)).stdout), shown)
  })

  it('a reader that has enough ends what it reads, without a word', async () => {
    const follow = 'connector logs --business Demo --connector demo --follow'
    for (const words of ['--help', follow]) {
      const line = `set -o pipefail; npx millrace ${words} | true`
      const { stderr } = await paste(line, `"${process.execPath}" "${millrace}"`)
      assert.equal(stderr, '', words)
    }
  })

  it('an unknown command ends with 2, and names one that is written alike', async () => {
    const message = /unknown command '(conector|lis)'[\s\S]*Did you mean (connector|list)/
    for (const line of ['npx millrace conector list', 'npx millrace connector lis']) {
      await assert.rejects(paste(line), { code: 2, message })
    }
  })

  it('an option that is missing or unknown ends with 2, and points at the help', async () => {
    for (const line of ['npx millrace connector create', 'npx millrace ledger verify --nam x']) {
      await assert.rejects(paste(line), (error: { code: number } & Error) => {
        assert.equal(error.code, 2)
        assert.match(error.message, /Example:|--help explains it/)
        return true
      })
    }
  })
})
