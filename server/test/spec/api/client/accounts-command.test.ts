import { strict as assert } from 'node:assert'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { generateSync } from 'otplib'
import { permissions } from '../../../../src/people/accounts/index.ts'
import { runsCommands } from '../../../fixtures/commands/command-line.ts'
import { openPerson, type Person } from '../../../fixtures/commands/person.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

/** A code of the next period. Each counts once, also in the period after, while a command runs. */
function newCode({ clock }: OwnPlatform, secret: string): string {
  clock.step(30_000)
  return generateSync({ secret, epoch: Math.floor(clock.nowMs() / 1_000) })
}

describe('millrace login and the commands of accounts', () => {
  const context = suiteContext()
  let instance: OwnPlatform
  let person: Person
  let folder = ''

  before(async () => {
    instance = await testPlatform(context, { own: 'moves the clock' })
    person = await openPerson(context)
    folder = person.folder
    await person.keep('password', instance.account.password)
    await person.keep('viewer', 'a long phrase')
  })

  const run = (...args: string[]) => person.run(...args)

  const filed = (file: string) => ['--password-file', file]

  const login = (email: string, file: string) =>
    run('login', '--url', instance.httpUrl, '--email', email, '--password-file', file)

  it('ends with 2 and a sentence where nobody has logged in', async () => {
    const { code, stderr } = await run('whoami')
    assert.equal(code, 2)
    assert.match(stderr, /log in to one: millrace login --url/)
  })

  it('keeps a session, and no password, in a file of the user alone', async () => {
    const { code, stdout, stderr } = await login(instance.account.email, 'password')
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      new RegExp(`logged in to ${instance.businessName} as ${instance.account.email}`),
    )
    const file = join(folder, '.config', 'millrace', 'profiles.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.doesNotMatch(await readFile(file, 'utf8'), new RegExp(instance.account.password))
    const caller = JSON.parse((await run('whoami', '--json')).stdout)
    assert.equal(caller.email, instance.account.email)
  })

  it('sets up a second step, and then logs in with a code of a file', async () => {
    assert.equal((await login(instance.account.email, 'password')).code, 0)
    const begun = JSON.parse((await run('totp', 'begin', ...filed('password'), '--json')).stdout)
    const code = async () => {
      await writeFile(join(folder, 'code'), newCode(instance, begun.secret))
      return ['--code-file', 'code']
    }
    const confirmed = await run('totp', 'confirm', ...(await code()))
    assert.match(confirmed.stdout, /recovery codes[\s\S]+[a-z2-7]{4}(-[a-z2-7]{4}){3}/)
    assert.match((await run('totp', 'show')).stdout, /second step +yes/)
    const words = ['--url', instance.httpUrl, '--email', instance.account.email]
    const without = await run('login', ...words, ...filed('password'))
    assert.equal(without.code, 2)
    assert.match(without.stderr, /--code-file is missing/)
    const wrong = await run('login', ...words, ...filed('password'), '--code-file', 'password')
    assert.match(wrong.stderr, /the code is wrong/)
    const right = await run('login', ...words, ...filed('password'), ...(await code()))
    assert.equal(right.code, 0, right.stderr)
    assert.match((await run('session', 'list')).stdout, / totp /)
    const codes = await run('totp', 'codes', ...(await code()), '--json')
    const [recovery] = JSON.parse(codes.stdout).recovery_codes
    await writeFile(join(folder, 'code'), recovery)
    assert.equal((await run('totp', 'remove', '--code-file', 'code')).code, 0)
    assert.match((await run('business', 'show')).stdout, /second step demanded +no/)
    assert.equal((await run('session', 'end', '--all')).code, 0)
    assert.equal((await login(instance.account.email, 'password')).code, 0)
  })

  it('ends with 3 and a sentence for a password that is wrong', async () => {
    const { code, stderr } = await login(instance.account.email, 'viewer')
    assert.equal(code, 3)
    assert.match(stderr, /the e-mail address or the password is wrong/)
  })

  it('refuses with 3 what the role of a user does not permit', async () => {
    const words = ['--email', 'v@example.com', '--role', 'Viewer', '--password-file', 'viewer']
    assert.equal((await run('user', 'create', ...words)).code, 0)
    assert.match((await run('user', 'list')).stdout, /Viewer +v@example\.com/)
    const url = ['--url', instance.httpUrl, '--profile', 'viewer']
    const other = ['--email', 'v@example.com', '--password-file', 'viewer']
    assert.equal((await run('login', ...url, ...other)).code, 0)
    const refused = await run('user', 'list', '--profile', 'viewer')
    assert.deepEqual([refused.code, /User Management/.test(refused.stderr)], [3, true])
    assert.equal((await run('user', 'delete', '--email', 'v@example.com')).code, 2)
    assert.equal((await run('user', 'delete', '--email', 'v@example.com', '--yes')).code, 0)
    assert.equal((await run('whoami', '--profile', 'viewer')).code, 3)
  })

  it('creates a token that ends, and shows when', async () => {
    const words = ['--name', 'ci', '--requests', '50', '--address', '127.0.0.0/8']
    const create = (expires: string) => run('token', 'create', ...words, '--expires', expires)
    const soon = await create('soon')
    assert.deepEqual([soon.code, /--expires is a time/.test(soon.stderr)], [2, true])
    const past = await create('2001-01-31')
    assert.deepEqual([past.code, /must lie in the future/.test(past.stderr)], [1, true])
    const day = new Date(Date.now() + 86_400_000).toISOString()
    const { code, stdout, stderr } = await create(day)
    assert.equal(code, 0, stderr)
    const list = (await run('token', 'list')).stdout
    const rest = 'all groups +from 127.0.0.0/8 +50 requests, usual ms +ci'
    assert.match(list, new RegExp(`Administrator .* until ${day} +unused +${rest}$`, 'm'))
    assert.match(list, /Administrator .* no end +(unused|used \S+) +all groups .* test$/m)
    const other = ['--url', instance.httpUrl, '--profile', 'ci', '--token-file', 'token']
    await writeFile(join(folder, 'token'), stdout)
    assert.equal((await run('login', ...other)).code, 0)
    const renewed = await run('token', 'create', '--profile', 'ci')
    assert.deepEqual([renewed.code, renewed.stderr.includes(day)], [3, true], renewed.stderr)
  })

  it('ends the session at the logout', async () => {
    assert.equal((await run('logout')).code, 0)
    assert.equal((await run('whoami')).code, 2)
  })
})

describe('the commands that make rights smaller', () => {
  const context = suiteContext()

  it('name the tokens and invitations that this has ended', async () => {
    const instance = await testPlatform(context)
    const run = runsCommands(instance)
    const { businessId, platform } = instance
    const { accounts } = platform
    const role = { name: 'Lead', permissions: [...permissions] }
    await accounts.createRole(businessId, role)
    const giver = async (name: string, of: string) => {
      const user = { email: `${name}@${businessId}.example`, password: 'a long phrase', role: of }
      await accounts.createUser(businessId, user)
      const by = await accounts.basic(user.email, user.password)
      await accounts.createToken(by, { name: `of ${name}`, role: 'Administrator' })
      await accounts.invite(by, {
        email: `guest@${name}.${businessId}.example`,
        role: 'Administrator',
      })
      return user.email
    }
    const lines = (name: string) =>
      new RegExp(`^ended API tokens: of ${name}\nended invitations: guest@${name}\\.\\S+$`, 'm')
    const email = await giver('one', 'Administrator')
    const changed = await run('user', 'change', '--email', email, '--role', 'Viewer')
    assert.match(changed.stdout, lines('one'), changed.stderr)
    await giver('two', 'Lead')
    const smaller = await run('role', 'change', 'Lead', '--permission', 'View Asset')
    assert.match(smaller.stdout, lines('two'), smaller.stderr)
    const named = await run('user', 'change', '--email', email, '--name', 'Eva')
    assert.doesNotMatch(named.stdout, /ended/)
  })
})
