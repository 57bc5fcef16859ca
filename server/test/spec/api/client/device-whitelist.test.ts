import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('millrace device whitelist', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let run: RunCommand
  let folder = ''
  before(async () => {
    instance = await testPlatform(suite)
    run = runsCommands(instance)
    folder = await testFolder(suite)
  })

  const place = (name: string) => join(folder, name)
  const known = (identity: string) =>
    instance.platform.provisioning.identities.get(
      instance.businessId,
      instance.connector.id,
      identity,
    )
  const whitelist = async (csv: string, ...more: string[]) => {
    await writeFile(place('devices.csv'), csv)
    const where = ['--connector', instance.connector.id, '--file', place('devices.csv')]
    return run('device', 'whitelist', ...where, ...more)
  }

  it('prints the rows that failed and the sum, and ends with 1', async () => {
    const csv = 'ID,Tags\npump-1,\n"a, ""b""",\nbad,"[{""name"":1}]"\n\0,\n'
    const { code, stdout } = await whitelist(csv)
    assert.equal(code, 1)
    const [header, ...lines] = stdout.trimEnd().split('\n')
    assert.equal(header, 'ID,Tags,status,code,message')
    assert.match(lines[0] ?? '', /^bad,"\[\{""name"":1\}\]",failed,invalid_argument,tags/)
    assert.match(lines[1] ?? '', /^"\ufffd",,failed,invalid_argument,/)
    assert.equal(lines[2], '4 rows: 2 added, 0 changed, 0 unchanged, 2 failed')
    assert.equal((await known('a, "b"')).status, 'whitelisted')
  })

  it('prints the counts as JSON, and gives windows an end', async () => {
    const { code, stdout } = await whitelist(
      'ID\njson-1\n\0\n',
      '--json',
      '--expire',
      '2100-01-31T12:00Z',
    )
    const counts = { total: 2, added: 1, changed: 0, unchanged: 0, failed: 1 }
    assert.deepEqual([code, JSON.parse(stdout)], [1, counts])
    const endUs = Date.parse('2100-01-31T12:00Z') * 1_000
    assert.equal((await known('json-1')).auth.expire, endUs)
  })

  it('writes the answer to a file, which may be that of the rows', async () => {
    const csv = 'ID,Note\nkept-1,x\n\0,y\n'
    const { code, stdout } = await whitelist(csv, '--answer', place('devices.csv'))
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^2 rows: .* 1 failed\nThe results of all rows are in \S+devices\.csv\.\n$/,
    )
    const answer = await readFile(place('devices.csv'), 'utf8')
    assert.match(answer, /^ID,Note,status,code,message\r\nkept-1,x,added,,\r\n"\0",y,failed,/)
    assert.deepEqual(await readdir(folder), ['devices.csv'])
    const again = await whitelist(answer.replaceAll('"\0"', 'kept-2'))
    assert.match(again.stdout, /^2 rows: 1 added, 0 changed, 1 unchanged, 0 failed\n$/)
  })

  it('takes the file that device export writes, and changes nothing', async () => {
    await whitelist('ID,Tags\nout-1,"[{""name"":""hall"",""value"":""2""}]"\nout-2,\n')
    const where = ['--connector', instance.connector.id, '--identity', '^out-']
    const { code } = await run('device', 'export', ...where, '--output', place('out.csv'))
    assert.equal(code, 0)
    const text = await readFile(place('out.csv'), 'utf8')
    const tagged = await run('device', 'export', ...where, '--tag', 'hall=2')
    assert.match(tagged.stdout, /^ID,Tags,State.*\nout-1,"\[.*\]",whitelisted,,\n$/)
    const again = await whitelist(text)
    assert.equal(again.stdout, '2 rows: 0 added, 0 changed, 2 unchanged, 0 failed\n')
  })

  it('ends with 2 where a file cannot be read or written, before it sends anything', async () => {
    const cases = [
      [['--answer', place('no/answer.csv')], /--answer: ENOENT/],
      [['--answer', place('.')], /--answer: \S+ is a directory/],
      [['--file', folder], /--file: \S+ is a directory/],
      [['--file', place('nothing.csv')], /--file: ENOENT/],
      [['--expire', 'soon'], /--expire is a time/],
    ] as const
    for (const [more, says] of cases) {
      const { code, stderr } = await whitelist('ID\nnever\n', ...more)
      assert.equal(code, 2, stderr)
      assert.match(stderr, says)
    }
    await assert.rejects(known('never'))
  })
})
