import assert from 'node:assert/strict'
import { cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../../fixtures/commands/command-line.ts'
import { askEndpoint } from '../../../../fixtures/endpoints.ts'
import { testFolder } from '../../../../fixtures/engine.ts'
import { until } from '../../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../../fixtures/platform.ts'
import { readBytes, treeFolder } from '../../../../fixtures/projects/trees.ts'
import {
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../../fixtures/wire/device.ts'
import { openSocket } from '../../../../fixtures/wire/sockets.ts'

let root = ''
let fixture: SolutionsFixture<OwnPlatform>
let millrace: RunCommand
const onInstance = sharedBySuites(async (suite) => {
  root = await testFolder(suite)
  fixture = await solutionsFixture(suite, { movesClock: true })
  millrace = runsCommands(fixture.millrace)
})

/** Pushes a folder by the command line. */
const push = (id: string, dir: string, ...more: string[]) =>
  millrace('solution', 'push', '--solution', id, '--dir', dir, ...more)

const pull = (id: string, dir: string) =>
  millrace('solution', 'pull', '--solution', id, '--dir', dir)

const trees = ['connector', 'application', 'insight', 'station']
/** The files in the tree that are no part of the solution. */
const outside = new Set(['README.md', 'assets/drafts/later.html', 'assets/app/x.tmp'])

describe('trees of the field come back byte for byte', () => {
  onInstance()

  for (const tree of trees) {
    it(`${tree}: pushed by a command and pulled into an empty folder`, async () => {
      const id = `whole${tree}`
      await fixture.created(id)
      const pushed = await push(id, treeFolder(tree))
      assert.equal(pushed.code, 0, pushed.stderr)
      const folder = join(root, id)
      const pulled = await pull(id, folder)
      assert.equal(pulled.code, 0, pulled.stderr)
      const wanted = await readBytes(treeFolder(tree))
      for (const path of outside) wanted.delete(path)
      assert.deepEqual(await readBytes(folder), wanted)
      for (const dir of [treeFolder(tree), folder]) {
        assert.match((await push(id, dir)).stdout, /^nothing changed$/m)
      }
    })
  }

  it('a Solutionfile.json is noted by a push and a check: it is not read', async () => {
    const old = join(root, 'old')
    await mkdir(join(old, 'event_handler'), { recursive: true })
    await writeFile(join(old, 'Solutionfile.json'), '{"event_handler": {}}')
    await writeFile(join(old, 'event_handler/device.lua'), 'return 1')
    await fixture.created('old')
    const note =
      /Solutionfile\.json: is not read, murano\.yaml is: each \.lua file counts by its name/
    const pushed = await push('old', old)
    assert.match(pushed.stdout, note)
    const { code, stdout } = await millrace('solution', 'check', old)
    assert.deepEqual(
      [code, note.test(stdout), /warnings 1$/m.test(stdout)],
      [0, true, true],
      stdout,
    )
  })
})

describe('static files are part of a push, which is made whole or not at all', () => {
  onInstance()
  let folder = ''
  before(async () => {
    folder = join(root, 'static')
    await cp(treeFolder('station'), folder, { recursive: true })
    await fixture.created('fixed')
    const pushed = await push('fixed', folder)
    assert.match(pushed.stdout, /^added {5}static file app\/logo\.png$/m)
    assert.doesNotMatch(pushed.stdout, /drafts|x\.tmp/)
  })
  const served = async () => {
    const { static_files: files } = (await fixture.ask('GET', '/solution/fixed/pull')).json
    return files.map(({ path }: { path: string }) => path)
  }

  it('a script that is refused leaves the static files as they are', async () => {
    await writeFile(join(folder, 'assets/app/new.js'), 'new()')
    await writeFile(join(folder, 'endpoints/broken.lua'), '--#ENDPOINT GET /x\nreturn = 1')
    const refused = await push('fixed', folder)
    assert.deepEqual([refused.code, /broken\.lua:2/.test(refused.stderr)], [1, true])
    assert.deepEqual(await served(), ['app/logo.png', 'app/main.css', 'empty.txt', 'home.html'])
    await writeFile(join(folder, 'endpoints/broken.lua'), '--#ENDPOINT GET /x\nreturn 1')
    assert.equal((await push('fixed', folder)).code, 0)
    assert.ok((await served()).includes('app/new.js'))
  })

  it('a static file that is refused leaves the scripts as they are', async () => {
    await writeFile(join(folder, 'endpoints/later.lua'), '--#ENDPOINT GET /later\nreturn 1')
    await writeFile(join(folder, 'assets/app/a\\b.js'), 'x()')
    const refused = await push('fixed', folder)
    assert.deepEqual([refused.code, /path must be names/.test(refused.stderr)], [1, true])
    const { scripts } = (await fixture.ask('GET', '/solution/fixed/script')).json
    assert.ok(!scripts.some(({ name }: { name: string }) => name.includes('/later')))
    await rename(join(folder, 'assets/app/a\\b.js'), join(folder, 'assets/app/größe {1}.js'))
    assert.equal((await push('fixed', folder)).code, 0)
    const path = `/app/${encodeURIComponent('größe {1}.js')}`
    const host = { host: 'fixed.localhost' }
    assert.equal((await askEndpoint(fixture.millrace.httpUrl, path, host)).text, 'x()')
    const pulled = join(root, 'named')
    assert.equal((await pull('fixed', pulled)).code, 0)
    assert.equal(await readFile(join(pulled, 'assets/app/größe {1}.js'), 'utf8'), 'x()')
  })

  it('bytes that were not uploaded refuse the push', async () => {
    const files = [{ path: 'user_x.lua', text: 'return 1' }]
    const static_files = [{ path: 'a.txt', etag: 'a'.repeat(43) }]
    const ask = (query: string, body: object) =>
      fixture.ask('POST', `/solution/fixed/push${query}`, body)
    const dry = await ask('?dry_run=true', { files, static_files })
    assert.deepEqual(dry.json.static_files.missing, ['a'.repeat(43)])
    const refused = await ask('', { files, static_files })
    assert.equal(refused.status, 400)
    assert.match(refused.json.message, /The bytes of a\.txt are not uploaded/)
    const again = (await ask('?dry_run=true', { files })).json
    assert.deepEqual([again.added.length, again.static_files], [1, undefined])
    const twice = await ask('', { files, static_files: [...static_files, ...static_files] })
    assert.match(twice.json.message, /must not hold a\.txt twice/)
  })

  it('a folder of assets that is missing is noted, and the rest is pushed', async () => {
    const lost = join(root, 'lost')
    await mkdir(join(lost, 'services'), { recursive: true })
    await writeFile(join(lost, 'murano.yaml'), 'assets: { location: nowhere }')
    await writeFile(join(lost, 'services/user_x.lua'), 'return 1')
    await fixture.created('lost')
    const pushed = await push('lost', lost)
    assert.equal(pushed.code, 0, pushed.stderr)
    assert.match(pushed.stdout, /^note +murano\.yaml: assets are in nowhere, which is not there/m)
    assert.match(pushed.stdout, /^added +handler user_x$/m)
  })

  it('a link is followed as far as it stays inside of the project', async () => {
    const linked = join(root, 'linked')
    await mkdir(join(linked, 'assets/more'), { recursive: true })
    await writeFile(join(linked, 'murano.yaml'), 'assets: { location: assets }')
    await writeFile(join(linked, 'note.txt'), 'a note')
    await symlink('../note.txt', join(linked, 'assets/link.txt'))
    await symlink('/etc/hostname', join(linked, 'assets/out.txt'))
    await symlink('more', join(linked, 'assets/folder'))
    await symlink('nothing', join(linked, 'gone.lua'))
    await fixture.created('linked')
    const pushed = await push('linked', linked)
    assert.equal(pushed.code, 0, pushed.stderr)
    const notes = [...pushed.stdout.matchAll(/^note +(.*)$/gm)].map(([, note]) => note)
    assert.deepEqual(notes, [
      'gone.lua: is a link to nothing: it is left out',
      'assets/folder: is a link to a folder: it is left out',
      'assets/out.txt: is a link that leads out of the project: it is left out',
    ])
    const host = { host: 'linked.localhost' }
    assert.equal((await askEndpoint(fixture.millrace.httpUrl, '/link.txt', host)).text, 'a note')
  })

  it('what the folder does not have any more is removed after a confirmation', async () => {
    const other = join(root, 'fewer')
    await cp(folder, other, { recursive: true })
    await rename(join(other, 'assets/app/main.css'), join(other, 'assets/app/moved.css'))
    const kept = await push('fixed', other)
    assert.equal(kept.code, 1)
    assert.match(kept.stdout, /^kept {6}static file app\/main\.css \(--yes removes it\)$/m)
    assert.ok((await served()).includes('app/moved.css'))
    const removed = await push('fixed', other, '--yes')
    assert.match(removed.stdout, /^removed {3}static file app\/main\.css$/m)
    assert.ok(!(await served()).includes('app/main.css'))
  })
})

describe('a project of the field runs: devices, jobs, mails, endpoints, websockets, users', () => {
  onInstance()
  let device: TestDevice
  let connector = ''
  before(async () => {
    await fixture.created('station')
    const set = await fixture.ask('PATCH', '/solution/station/env', { values: { API_TOKEN: 't' } })
    assertStatus(set, 200)
    const pushed = await push('station', treeFolder('station'))
    assert.equal(pushed.code, 0, pushed.stderr)
    connector = (await fixture.of('station').service('device2')).service
    device = await newDevice(fixture.millrace.httpUrl, connector, 'st1')
  })
  const at = (path: string, body?: object, headers: Record<string, string> = {}) =>
    askEndpoint(fixture.millrace.httpUrl, path, {
      host: 'station.localhost',
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const kept = async (key: string) => (await at(`/kept/${key}`)).json.value
  const keptAs = (key: string, is: (value: unknown) => boolean) => until(() => kept(key), is)
  const mails = async () =>
    (await fixture.millrace.platform.mail.list()).map(({ subject, text, html, to }) => ({
      subject,
      body: text ?? html ?? '',
      to,
    }))

  it('init_script ran once, with the services of the project', async () => {
    assert.deepEqual(await kept('init'), { secret: 40, domain: true })
    const before = await kept('init')
    assert.equal((await push('station', treeFolder('station'))).code, 0)
    assert.deepEqual(await kept('init'), before)
  })

  it('a write of a device runs its handler, and a timer mails, sets and stores', async () => {
    assert.equal((await device.write('temperature=20.5')).status, 204)
    assert.equal(await keptAs('last.st1', (value) => value === 20.5), 20.5)
    const shown = await fixture.ask('GET', `/service/${connector}/device2/identity/st1`)
    assert.deepEqual(shown.json.tags, [{ name: 'kind', value: 'station' }])
    fixture.millrace.clock.advance(60_000)
    await fixture.millrace.platform.timers.fire()
    assert.equal(await keptAs('reported', (value) => value === 20.5), 20.5)
    const [report] = (await mails()).filter(({ subject }) => subject === 'Report')
    assert.deepEqual(report?.to, ['operator@example.com'])
    assert.equal(report?.body, 'report at 20.5, target was 21')
    assert.equal((await device.read('target')).body, 'target=21.5')
  })

  it('an endpoint gives a file of Content, the environment and the clock', async () => {
    const { status, json } = await at('/report')
    assert.equal(status, 200)
    const { url, took, ...rest } = json
    assert.deepEqual(rest, { type: 'text/plain', region: 'eu', token: 't', now: true })
    assert.equal(typeof took, 'number')
    assert.equal((await at(url)).text, '20.5')
  })

  it('a websocket is greeted, answered and sent to', async () => {
    const socket = await openSocket(fixture, '/live', { host: 'station.localhost' })
    assert.deepEqual(await socket.nextJson(), { hello: 'STATION!' })
    socket.send('quiet')
    assert.equal(await socket.next(), 'QUIET!')
    assert.equal((await at('/push', { text: 'from afar' })).status, 200)
    assert.equal(await socket.next(), 'from afar')
    socket.close()
    await socket.closed
  })

  it('users sign up by a mail, sign in, and have roles and data', async () => {
    const ann = { name: 'Ann', email: 'ann@example.com', password: 'a long secret 1' }
    const { code } = (await at('/signup', ann)).json
    const [welcome] = (await mails()).filter(({ subject }) => subject === 'Welcome')
    assert.ok(welcome?.body.includes(code))
    assert.equal((await at('/signin', ann)).status, 403)
    assert.deepEqual((await at('/activate', { code })).json, { activated: 'OK' })
    const { token } = (await at('/signin', ann)).json
    const me = await at('/me', undefined, { Authorization: `Bearer ${token}` })
    const data = { phone: '1' }
    assert.deepEqual(me.json, { email: ann.email, owns: 'OK', data, found: 1 })
    const has = (count: number) => (value: unknown) => Array.isArray(value) && value.length >= count
    assert.deepEqual(await keptAs('accounts', has(2)), ['CREATE', 'UPDATE'])
  })

  it('static files are served, with their default page', async () => {
    const page = await at('/')
    const wanted = await readFile(join(treeFolder('station'), 'assets/home.html'), 'utf8')
    assert.deepEqual([page.status, page.text], [200, wanted])
    assert.equal((await at('/app/logo.png')).headers['content-type'], 'image/png')
    assert.equal((await at('/drafts/later.html')).status, 404)
  })

  it('a change of a service reaches the handler of config', async () => {
    const added = await fixture.ask('POST', '/solution/station/serviceconfig', { service: 'asset' })
    assertStatus(added, 201)
    const list = (await keptAs('services', (value) => Array.isArray(value))) as string[]
    assert.ok(list.includes('added asset'), String(list))
  })
})
