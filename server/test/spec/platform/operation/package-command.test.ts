import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { atEnd } from '../../../fixtures/ends.ts'
import { startProgram } from '../../../fixtures/processes/cli-process.ts'
import { root } from '../../../fixtures/processes/page.ts'

/**
 * The command of the Debian package, with its folders in one of the test's own. In place of the
 * platform it runs a script that prints settings by their names.
 */
async function installCommand(t: TestContext, settings: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-package-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  const script = await readFile(join(root, 'dev', 'release', 'millrace.sh'), 'utf8')
  const program = join(folder, 'print.sh')
  const command = join(folder, 'millrace')
  await writeFile(join(folder, 'millrace.env'), settings)
  await writeFile(program, '#!/bin/sh\nfor name; do printenv "$name" || echo "no $name"; done\n')
  await writeFile(
    command,
    script
      .replaceAll('/etc/millrace/', `${folder}/`)
      .replaceAll('/usr/lib/millrace/bin/millrace', program),
  )
  await Promise.all([chmod(program, 0o755), chmod(command, 0o755)])
  return async (names: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const path = { PATH: process.env['PATH'] ?? '' }
    const run = startProgram(t, [command, ...names], { cwd: folder, env: { ...path, ...env } })
    assert.equal(await run.end(), 0, run.printed())
    return run.printed().trimEnd().split('\n')
  }
}

it('the command of the package reads the settings of the service as systemd does', async (t) => {
  const run = await installCommand(
    t,
    `# MILLRACE_METRICS=127.0.0.1:9464
#MILLRACE_DEMO=off
MILLRACE_MAIL_FROM=Pumps & Co <ops@example.com>
MILLRACE_HOSTS="a.example, b.example"
MILLRACE_PUBLIC_URL='https://a.example/$HOME'
MILLRACE_SMTP_URL=smtp://user:a=b@host
DATABASE_URL=
MILLRACE_LOG=info`,
  )
  const names = ['MAIL_FROM', 'HOSTS', 'PUBLIC_URL', 'SMTP_URL', 'LOG', 'DEMO', 'METRICS', 'DATA']
  assert.deepEqual(await run([...names.map((name) => `MILLRACE_${name}`), 'DATABASE_URL']), [
    'Pumps & Co <ops@example.com>',
    'a.example, b.example',
    'https://a.example/$HOME',
    'smtp://user:a=b@host',
    'info',
    'no MILLRACE_DEMO',
    'no MILLRACE_METRICS',
    '/var/lib/millrace',
  ])
})

it('what the environment has goes before the settings of the service', async (t) => {
  const run = await installCommand(
    t,
    'MILLRACE_DATA=/srv/millrace\nMILLRACE_METRICS=127.0.0.1:9464\nDATABASE_URL=postgres://db/m\n',
  )
  const names = ['MILLRACE_DATA', 'MILLRACE_METRICS', 'DATABASE_URL']
  assert.deepEqual(await run(names), ['/srv/millrace', '127.0.0.1:9464', 'postgres://db/m'])
  const restore = { MILLRACE_DATA: './restored', MILLRACE_METRICS: 'off', DATABASE_URL: '' }
  assert.deepEqual(await run(names, restore), ['./restored', 'off'])
})
