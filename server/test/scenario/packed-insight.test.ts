import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type Packed, packAll, type User } from '../fixtures/processes/packages.ts'
import { readersNodeFolder } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const pinned = dirname(process.execPath)
const readers = readersNodeFolder()
/** The machine's Node may be one that runs no TypeScript. */
const projects = [
  { title: 'JavaScript on the pinned Node', nodeFolder: pinned, flags: [], file: 'module.js' },
  { title: "JavaScript on the machine's", nodeFolder: readers, flags: [], file: 'module.js' },
  {
    title: 'TypeScript on the pinned Node',
    nodeFolder: pinned,
    flags: ['--typescript'],
    file: 'module.ts',
  },
]

describe('a project that insight new writes', () => {
  const suite = suiteContext()
  let packed: Packed
  before(async () => {
    packed = await packAll(suite)
  })

  /** Writes a project with the packed command line, in a folder of its own. */
  const write = async (user: User, flags: readonly string[]) => {
    const cwd = await packed.install('cli', user)
    const bin = join(cwd, 'node_modules', '.bin', 'millrace')
    const made = await packed.run(bin, ['insight', 'new', 'scaling', ...flags], { ...user, cwd })
    assert.deepEqual([made.code, made.error], [0, ''])
    return Object.assign({ bin }, { ...user, cwd: join(cwd, 'scaling') })
  }

  for (const { title, nodeFolder, flags, file } of projects) {
    const skip = nodeFolder === undefined
    it(`runs as its README says: ${title}`, { skip }, async () => {
      const user = await write({ name: `author of ${title}`, nodeFolder }, flags)
      const readme = await readFile(join(user.cwd, 'README.md'), 'utf8')
      assert.ok(readme.includes(`\`${file}\` declares`))
      const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
      const [install = '', dev = '', start = '', check = '', ...more] = blocks
      assert.deepEqual(more, [])
      const installed = await packed.run('bash', ['-ec', install], user)
      assert.equal(installed.code, 0, installed.out + installed.error)
      assert.match(installed.out, /pass 2\n/)

      await develops(packed, await readScript(user, dev), user, join(user.cwd, file))

      const port = await freePort()
      const served = `PORT=${port} exec ${await readScript(user, start)}`
      const serving = await packed.start('bash', ['-c', served], user)
      await serving.prints(new RegExp(`http://127.0.0.1:${port}\n`))
      const checked = await packed.run('bash', ['-c', `PORT=${port} ${check}`], user)
      assert.match(checked.out, /\n\d+ checks, 0 failed\n$/)
      assert.equal(checked.code, 0)
      assert.equal(await serving.end('SIGTERM'), 0)
    })
  }

  it('is not written over files, nor without an SDK that is packed', async () => {
    const user = await write({ name: 'author' }, [])
    const again = await packed.run(user.bin, ['insight', 'new', '.'], user)
    assert.deepEqual([again.code, again.error.includes('. is not empty')], [2, true])
    const sdk = ['insight', 'new', 'other', '--sdk', 'nothing.tgz']
    const without = await packed.run(user.bin, sdk, user)
    assert.deepEqual([without.code, without.error.includes('is no packed SDK')], [2, true])
  })
})

/**
 * The command line of a script of the project. npm passes no signal on to it: a terminal sends its
 * own to each program.
 */
async function readScript({ cwd = '' }: User, block: string): Promise<string> {
  const [, name = ''] = /^npm (?:run )?(\w+)\n$/.exec(block) ?? []
  const manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'))
  return manifest.scripts[name]
}

/** Runs the development loop, changes a function, and looks at both of its outputs. */
async function develops(packed: Packed, dev: string, user: User, file: string): Promise<void> {
  const loop = await packed.start('bash', ['-c', `exec node_modules/.bin/${dev}`], user)
  const [, page = ''] = await loop.prints(/shown at (\S+);/)
  await loop.prints(/^scale {2}signal=20\.5 {2}-> {2}Scaled=61\.5$/m)
  await loop.prints(/^scale {2}signal="warm" {2}-> {2}Problems=".* takes NUMERIC only"$/m)
  await loop.prints(/^high {2}signal=-75\.7 {2}-> {2}Status=\{"level":0\}$/m)
  const source = await readFile(file, 'utf8')
  await writeFile(file, source.replace('* constants.factor', '* 10'))
  await loop.prints(/^scale {2}signal=20\.5 {2}-> {2}Scaled=205$/m)
  await loop.prints(/^high {2}signal=-75\.7 /m)
  const lines = (await (await fetch(`${page}/lines`)).json()) as { readonly output: string }[]
  assert.equal(lines[0]?.output, 'Scaled=205')
  assert.match(await (await fetch(page)).text(), /<h1>Calls of the latest round/)
  await writeFile(file, 'no program')
  await loop.prints(/the module is not served: it ended; it starts again at the next change/)
  await writeFile(file, source)
  await loop.prints(/Scaled=61\.5$/m)
  assert.equal(await loop.end('SIGINT'), 0)
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  await new Promise((resolve) => server.close(resolve))
  return port
}
