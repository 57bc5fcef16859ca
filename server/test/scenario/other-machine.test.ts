import assert from 'node:assert/strict'
import { constants, copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { encrypted } from '../fixtures/peers/tls-proxy.ts'
import { serverOptions } from '../fixtures/peers/tls-server.ts'
import { testPlatform, unique } from '../fixtures/platform.ts'
import { packAll } from '../fixtures/processes/packages.ts'
import { openOpenssl } from '../fixtures/wire/openssl.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
/** `nobody`, who owns no file. */
const otherUid = 65_534
const meters = unique('meters')
const readings = unique('readings')
const viewer = `${unique('viewer')}@example.com`

/** The files of a person: a solution, devices, passwords. */
const files = {
  'password.txt': 'correct horse battery\n',
  'viewer.txt': 'another long phrase\n',
  'wrong.txt': 'a guess\n',
  'devices.csv': 'ID,Tags\nmeter-0,"[{""name"":""site"",""value"":""north""}]"\nmeter-1,\n',
  'meters/services/device2.yaml': `service: ${meters}\n`,
  'meters/device2_event.lua':
    'if event.type == "data_in" then log.info("measured by " .. event.identity) end\n',
}

/**
 * A person with the packed command line, a home and a folder, and an instance behind a proxy that
 * ends TLS with a certificate of a private authority.
 */
async function personWithInstance(t: TestContext, uid: number | undefined) {
  const instance = await testPlatform(t)
  const { options, ca } = await serverOptions(await openOpenssl(t))
  const url = await encrypted(t, instance.httpUrl, options)
  const packed = await packAll(t)
  const nodeFolder = join(packed.folder, 'bin')
  // The checkout may be closed to other users.
  await mkdir(nodeFolder)
  await copyFile(process.execPath, join(nodeFolder, 'node'), constants.COPYFILE_FICLONE)
  const cwd = await packed.install('cli', { name: 'ann', nodeFolder, uid })
  for (const [path, text] of Object.entries({ ...files, 'ca.pem': ca.pem })) {
    await mkdir(dirname(join(cwd, path)), { recursive: true })
    await writeFile(join(cwd, path), text)
  }
  const bin = join(cwd, 'node_modules', '.bin', 'millrace')
  const user = { name: 'ann', nodeFolder, cwd, uid }
  const { account, businessName } = instance
  return {
    url,
    email: account.email,
    businessName,
    profiles: join(packed.folder, 'home', 'ann', '.config', 'millrace', 'profiles.json'),
    run: (line: string, more: object = {}) =>
      packed.run(bin, line.split(' '), Object.assign({}, user, more)),
    start: (line: string) => packed.start(bin, line.split(' '), user),
  }
}

type Person = Awaited<ReturnType<typeof personWithInstance>>

/** Runs a command that works. @returns what it prints. */
async function done({ run }: Person, line: string): Promise<string> {
  const { code, out, error } = await run(line)
  assert.equal(code, 0, `${line}: ${out}${error}`)
  return out
}

async function logsIn(person: Person): Promise<void> {
  const { url, email, businessName, run, profiles } = person
  const login = `login --url ${url} --email ${email} --password-file`
  const refusals = [
    ['whoami', 2, 'there is no instance: start one here (npm start), or log in to one: millrace '],
    [
      `${login} password.txt`,
      1,
      'the certificate of the instance is not trusted (UNABLE_TO_VERIFY',
    ],
    [`${login} password.txt --ca gone.pem`, 2, '--ca gone.pem holds no certificate (PEM): ENOENT'],
    [`${login} password.txt --ca wrong.txt`, 2, '--ca wrong.txt holds no certificate (PEM): '],
    [`${login} wrong.txt --ca ca.pem`, 3, 'the e-mail address or the password is wrong\n'],
    [`login --url ${url} --token-file wrong.txt --ca ca.pem`, 3, 'the API token is wrong\n'],
    ['login --url 127.0.0.1 --token-file wrong.txt', 2, '--url is an address such as https://'],
  ] as const
  for (const [line, code, sentence] of refusals) {
    const ended = await run(line)
    assert.deepEqual([ended.code, ended.out], [code, ''], line)
    assert.ok(ended.error.startsWith(`millrace: ${sentence}`), ended.error)
  }
  assert.equal(
    await done(person, `${login} password.txt --ca ca.pem`),
    `logged in to ${businessName} as ${email}\n`,
  )
  // The folder from which it is called does not matter from then on.
  const elsewhere = await run('whoami', { cwd: '/' })
  assert.ok(elsewhere.out.startsWith(`${email} of ${businessName}, at ${url}\n`), elsewhere.error)
  assert.equal((await stat(profiles)).mode & 0o777, 0o600)
  assert.doesNotMatch(await readFile(profiles, 'utf8'), /correct horse/)
}

async function pushesAndFollows(person: Person): Promise<void> {
  await done(person, `connector create --id ${meters} --name Meters`)
  const whitelist = `device whitelist --connector ${meters} --file devices.csv`
  assert.match(await done(person, whitelist), /^2 rows: 2 added,/)
  await done(person, `solution create --id ${readings} --name Readings`)
  const push = await done(person, `solution push --solution ${readings} --dir meters`)
  assert.equal(push, 'added     handler device2_event\nadded     service device2\nunchanged 0\n')
  const log = await person.start(`solution logs --solution ${readings} --follow`)
  const simulate = `device simulate --connector ${meters} --prefix meter- --devices 1 --writes 1`
  assert.match(await done(person, simulate), /^activations {2}200: 1 .*\nwrites {7}204: 1 /)
  await log.prints(/^\S+Z {2}info .* handle_device2_event {2}measured by meter-0$/m)
  assert.equal(await log.end('SIGINT'), 0)
}

async function exports(person: Person): Promise<void> {
  const devices = JSON.parse(await done(person, `device list --connector ${meters} --all --json`))
  assert.deepEqual(
    devices.map(({ identity, status, tags }: Record<string, unknown>) => [identity, status, tags]),
    [
      ['meter-0', 'provisioned', [{ name: 'site', value: 'north' }]],
      ['meter-1', 'whitelisted', []],
    ],
  )
}

/** The role Viewer reads assets and nothing else. */
async function isRefused(person: Person): Promise<void> {
  const { url, run } = person
  await done(person, `user create --email ${viewer} --role Viewer --password-file viewer.txt`)
  const login = `login --profile viewer --url ${url} --ca ca.pem --email ${viewer}`
  await done(person, `${login} --password-file viewer.txt`)
  const needed = {
    [`solution push --solution ${readings} --dir meters`]: 'This needs the permission "Setup".',
    [`solution logs --solution ${readings} --follow`]: 'This needs the permission "Setup".',
    [`device whitelist --connector ${meters} --file devices.csv`]:
      'This needs the permission "Setup".',
    [`device list --connector ${meters} --json`]: 'This needs the permission "Setup".',
    'user list': 'This needs the permission "User Management".',
    'ledger show': 'This is for the operator of the instance.',
  }
  for (const [line, sentence] of Object.entries(needed)) {
    const ended = await run(`${line} --profile viewer`)
    assert.deepEqual(ended, { code: 3, out: '', error: `millrace: ${sentence}\n` })
  }
  const logout = await run('logout --profile viewer')
  assert.deepEqual(logout, { code: 0, out: `logged out of ${url}\n`, error: '' })
  assert.equal((await run('whoami --profile viewer')).code, 2)
}

describe('a person on another machine, with the packed command line alone', () => {
  const works = async (t: TestContext, uid?: number) => {
    const person = await personWithInstance(t, uid)
    await logsIn(person)
    await pushesAndFollows(person)
    await exports(person)
    await isRefused(person)
  }

  const notRoot = !isRoot && 'only root of Linux can run programs as another user'
  it('works over TLS as a user of its own', { skip: notRoot }, (t) => works(t, otherUid))

  const done = isRoot && 'the test above does the same, and as another user'
  it('works over TLS from a folder of its own', { skip: done }, (t) => works(t))
})
