import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import { atEnd } from '../../fixtures/ends.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const run = promisify(execFile)

/** The commands that run a program of the page, in a folder of its own. */
const programs = [
  { name: 'curl', file: 'device.sh', command: 'bash device.sh' },
  { name: 'Python', file: 'device.py', command: 'python3 device.py' },
  { name: 'Node', file: 'device.mjs', command: `${process.execPath} device.mjs` },
] as const

describe('the overview of the console', { skip: consoleSkipped }, () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let shown: TestConsole
  let page: Page
  let folder: string

  before(async () => {
    ;({ instance, shown } = await testConsole(suite))
    folder = await mkdtemp(join(tmpdir(), 'millrace-program-'))
    atEnd(suite, () => rm(folder, { recursive: true }))
    page = await shown.tab('/')
    await shown.signIn(page, instance.account)
  })

  async function programOf(name: string): Promise<string> {
    await page.getByRole('tab', { name, exact: true }).click()
    return (await page.getByLabel('Program', { exact: true }).textContent()) ?? ''
  }

  async function reported(identity: string) {
    const found = await api('GET', `/identity/${identity}`)
    return Object.values(found.state).map((one) => one.reported)
  }

  async function api(method: string, path: string, body?: object) {
    const { httpUrl, connector, basic } = instance
    const url = `${new URL(httpUrl).origin}/api:1/service/${connector.id}/device2${path}`
    const headers = { authorization: basic, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url, { method, headers, ...sent })
    assert.equal(answer.status, 200)
    return (await answer.json()) as { state: Record<string, { reported: string }> }
  }

  it('shows what there is, and that nothing failed', async () => {
    await page.getByText('Messages a second').waitFor()
    await page.getByText('All assets are normal.').waitFor()
    await page.getByText('Nothing failed').waitFor()
    await assertAccessible(page, 'overview')
  })

  for (const { name, file, command } of programs) {
    it(`connects a device by the program in ${name}, copied as it stands`, async () => {
      await page.goto(`${shown.origin}/connect`)
      const identity = `pump.${name.toLowerCase()}`
      await page.getByLabel('Identity of the device').fill(identity)
      await writeFile(join(folder, file), await programOf(name))
      await page.getByText(`Waiting for ${identity}`).waitFor()
      await run('bash', ['-c', command], { cwd: folder })
      await page.getByText(`${identity} has written.`).waitFor()
      assert.deepEqual(await reported(identity), ['21.5'])
      await page.getByRole('link', { name: 'Open the device' }).click()
      await page.getByRole('heading', { level: 1, name: identity }).waitFor()
    })
  }

  it('offers programs that trust the authority to a connector without developer mode', async () => {
    await api('PATCH', '', { protocol: { devmode: false } })
    await page.goto(`${shown.origin}/connect`)
    for (const name of ['curl', 'Python', 'Node', 'C', 'MQTT', 'ESP32 (Arduino)']) {
      assert.match(await programOf(name), /BEGIN CERTIFICATE/, name)
    }
    await assertAccessible(page, 'connect')
    assert.deepEqual(shown.errors, [])
  })
})
