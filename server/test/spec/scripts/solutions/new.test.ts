import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { checkModule } from '@millrace/insight-sdk'
import { type RunCommand, runsWith } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/engine.ts'
import {
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let root = ''
let fixture: SolutionsFixture
let millrace: RunCommand
const onInstance = sharedBySuites(async (suite) => {
  root = await testFolder(suite)
  fixture = await solutionsFixture(suite)
  const { httpUrl, token, databaseUrl } = fixture.millrace
  // Temporary instances take a database of its server, and start no engine.
  const DATABASE_URL = await databaseUrl()
  const env = { MILLRACE_URL: httpUrl, MILLRACE_TOKEN: token, DATABASE_URL }
  millrace = runsWith({ cwd: root, env })
})

const templates = ['connector', 'application', 'cloud', 'insight']

describe('millrace solution new', () => {
  onInstance()

  for (const template of templates) {
    it(`the template ${template} passes its tests and the check, and is pushed`, async () => {
      const folder = join(root, template)
      const made = await millrace('solution', 'new', folder, '--template', template, '--json')
      assert.equal(made.code, 0, made.stderr)
      assert.ok(JSON.parse(made.stdout).files.includes(`${template}_test.lua`))
      const tested = await millrace('solution', 'test', folder, '--temporary')
      assert.equal(tested.code, 0, tested.stdout + tested.stderr)
      assert.match(tested.stdout, /^[4-9] passed, 0 failed/m)
      const checked = await millrace('solution', 'check', folder)
      assert.deepEqual([checked.code, checked.stdout], [0, 'errors 0, warnings 0\n'])
      assertStatus(await fixture.ask('POST', '/solution', { id: `my${template}`, name: 'My' }), 201)
      const push = ['solution', 'push', '--solution', `my${template}`, '--dir', folder]
      const pushed = await millrace(...push)
      assert.equal(pushed.code, 0, pushed.stderr)
      assert.doesNotMatch(pushed.stdout, /^note/m)
      assert.match((await millrace(...push)).stdout, /^nothing changed$/m)
    })
  }

  it('the insight module of the template meets the protocol', async () => {
    const { checks } = await checkModule(`${fixture.millrace.httpUrl}/solution/myinsight`)
    const failed = checks.filter(({ ok }) => !ok)
    assert.deepEqual(failed, [])
    assert.ok(checks.length > 15)
  })

  it('the connector of the template is made with its resources', async () => {
    const own = await fixture.of('myconnector').service('device2')
    const connector = (await fixture.ask('GET', `/service/${own.service}/device2`)).json
    assert.deepEqual(Object.keys(connector.resources).sort(), ['config_io', 'data_in', 'data_out'])
  })

  it('writes into no folder that has files, and knows its templates', async () => {
    const folder = join(root, 'mine')
    await mkdir(folder)
    await writeFile(join(folder, 'README.md'), 'mine')
    const used = await millrace('solution', 'new', folder, '--template', 'insight')
    assert.deepEqual([used.code, /is not empty/.test(used.stderr)], [2, true])
    assert.equal(await readFile(join(folder, 'README.md'), 'utf8'), 'mine')
    for (const template of ['none', '../template/insight', '']) {
      const wrong = await millrace('solution', 'new', join(root, 'x'), '--template', template)
      assert.equal(wrong.code, 2, template)
    }
  })
})
