import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { serve } from '@millrace/insight-sdk'
import { demoConnector } from '../../../dev/demo/plant.ts'
import { vibration } from '../../../examples/insight-vibration/module.ts'
import { helpOf } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/index.ts'
import { wholeView } from '../../src/groups/index.ts'
import { serve as openPorts } from '../../src/main.ts'
import type { Platform, Served } from '../../src/platform.ts'
import { runsWith } from '../fixtures/commands/command-line.ts'
import { serveCommands } from '../fixtures/commands/command-server.ts'
import { everyCommand } from '../fixtures/processes/commands.ts'
import { killableInstance } from '../fixtures/processes/killable.ts'
import { millrace } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const run = promisify(execFile)

const all = await everyCommand()
/** They run until they are stopped, ask for a login of a person, or have a place of their own. */
const notAlone = new Set([
  ...['serve', 'solution dev', 'login', 'logout', 'business create', 'insight new', 'insight dev'],
  // Of people who have logged in: spec/client/accounts-command.test.ts runs them.
  ...['totp show', 'totp begin', 'totp confirm', 'totp codes', 'totp remove', 'user totp-remove'],
  ...['password change', 'preference show', 'preference units'],
])
/** A second business would make the others ask for its name: it comes last. */
const inOrder = [
  ...all.filter(({ name }) => !notAlone.has(name)),
  ...all.filter(({ name }) => name === 'business create'),
]

describe('every command', () => {
  const suite = suiteContext()
  let environment: NodeJS.ProcessEnv
  let npx: string
  let folder: string
  let moduleUrl: string

  before(async () => {
    const module = await serve(vibration, { host: '127.0.0.1', port: 0 })
    suite.after(() => module.close())
    moduleUrl = module.url
    const instance = await killableInstance(suite, {
      MILLRACE_OUTBOUND_ALLOW: new URL(moduleUrl).host,
      MILLRACE_SOLUTION_TESTS: 'on',
    })
    environment = { ...process.env, ...instance.settings }
    folder = instance.settings.MILLRACE_DATA ?? ''
    npx = join(folder, 'npx')
    await writeFile(npx, `#!/bin/bash\nshift\n${await serveCommands(suite)}`, { mode: 0o755 })
    // Held open, so that the commands find the engine running as they do beside `npm start`.
    const platform = await instance.open()
    const served = await openFreePorts(platform)
    suite.after(() => served.close())
    const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
    const connector = await platform.provisioning.connectors.create(id, {
      ...demoConnector,
      id: 'demo',
    })
    const origin = { ip: '127.0.0.1', protocol: 'http', encrypted: false }
    await platform.provisioning.activate(connector, 'my-device', origin)
    await platform.assets.create(wholeView(id), { name: 'Pump' })
  })

  /** Runs a line of a command's help as a person would paste it; the commands run here. */
  const paste = (line: string, millrace = `"${npx}" millrace`) =>
    run('bash', ['-ec', line.replaceAll('npx millrace', millrace)], {
      cwd: folder,
      env: environment,
    })

  /** Runs a line; in a shell only if it needs one. @throws where the exit code is not 0. */
  async function works(line: string): Promise<void> {
    if (/[&|;<>$`]/.test(line)) return void (await paste(line))
    const [, , ...words] = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
    const args = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
    const { code, stderr } = await runsWith({ cwd: folder, env: environment })(...args)
    assert.equal(code, 0, stderr)
  }

  for (const { name, example } of inOrder) {
    it(`${name}: the example of its help works`, async () => {
      await works(example.replaceAll('127.0.0.1:9401', new URL(moduleUrl).host))
    })
  }

  it('each help shows what the command does, and its example', () => {
    for (const command of commands) {
      assert.match(helpOf(command), /^millrace [^\n]+\n[\s\S]*Example:\n {2}\S/, command.name)
    }
  })

  it('--help shows the help of a command', async () => {
    const [first] = commands
    assert.ok(first !== undefined)
    const { stdout } = await paste(`npx millrace ${first.name} --help`)
    assert.equal(stdout.trimEnd(), helpOf(first).trimEnd())
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

/** On free ports, since others may run on those of the settings. */
function openFreePorts(platform: Platform): Promise<Served> {
  const free = { host: '127.0.0.1', port: 0 }
  const ports = { http: free, deviceTls: free, mqtt: undefined, mqttTls: undefined }
  return openPorts({ ...platform, config: { ...platform.config, ...ports } })
}
