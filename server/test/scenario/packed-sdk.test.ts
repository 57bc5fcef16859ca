import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type Packed, packAll } from '../fixtures/processes/packages.ts'
import { readersNodeFolder, root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const nodes = {
  'the pinned Node': dirname(process.execPath),
  "the machine's Node": readersNodeFolder(),
}

describe('the SDK of insight modules that npm run pack makes', () => {
  const suite = suiteContext()
  let packed: Packed
  before(async () => {
    packed = await packAll(suite)
  })

  for (const [title, nodeFolder] of Object.entries(nodes)) {
    const skip = nodeFolder === undefined
    it(`installs into an empty folder, serves and checks a module on ${title}`, {
      skip,
    }, async () => {
      const cwd = await packed.install('insight-sdk', { nodeFolder })
      await writeFile(join(cwd, 'main.js'), program)
      const ended = await packed.run('node', ['main.js'], { name: 'author', nodeFolder, cwd })
      assert.deepEqual([ended.code, ended.error], [0, ''])
      const { answer, failed, count, refused } = JSON.parse(ended.out)
      assert.deepEqual([answer, failed, refused], [[[42], []], [], 'no object'])
      assert.ok(count > 15, `${count} checks`)
    })
  }

  it('is a part of the command line', async () => {
    const cwd = await packed.install('cli')
    const bin = join(cwd, 'node_modules', '.bin', 'millrace')
    const args = ['insight', 'check', 'http://127.0.0.1:1', '--json']
    const { code, out } = await packed.run(bin, args, { name: 'author', cwd })
    assert.equal(code, 1)
    assert.ok(JSON.parse(out).failed > 0)
  })

  it('holds JavaScript and its types, and neither sources nor tests', async () => {
    const cwd = await packed.install('insight-sdk')
    const folder = join(cwd, 'node_modules', '@millrace', 'insight-sdk')
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const isTemplate = ({ parentPath }: { parentPath: string }) => parentPath.endsWith('/template')
    const names = files.filter((file) => file.isFile() && !isTemplate(file)).map(({ name }) => name)
    const known = /^(LICENSE|README\.md|package\.json|[\w-]+(\.d\.ts|\.js))$/
    assert.deepEqual(
      names.filter((name) => !known.test(name) || name.includes('test')),
      [],
    )
    assert.ok(names.includes('index.d.ts'))
  })

  it('has types that a program compiles with', async () => {
    const cwd = await packed.install('insight-sdk')
    await writeFile(join(cwd, 'program.ts'), typed)
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '']
    const args = [tsc, ...flags, '--lib', 'esnext,dom', 'program.ts']
    const { out } = await packed.run('node', args, { name: 'author', cwd })
    assert.equal(out.replaceAll(/\(.*/g, ''), 'program.ts\nprogram.ts\n', out)
    assert.match(out, /TS2322: Type 'number' is not assignable to type 'string'/)
    assert.match(
      out,
      /TS2345: Argument of type 'string' is not assignable to parameter of type 'number'/,
    )
  })
})

const program = `
import { checkModule, defineFunction, defineModule, serve } from '@millrace/insight-sdk'
import { readInfo } from '@millrace/insight-sdk/protocol'

const double = defineFunction({
  id: 'double', name: 'Double', description: 'Times two',
  inlets: { x: { name: 'X', primitive_type: 'NUMERIC' } },
  outlets: { y: { name: 'Y', primitive_type: 'NUMERIC' }, problems: { problems: true } },
  process({ inlet, emit }) {
    for (const source of inlet('x')) emit('y', source, source.value * 2)
  },
})
const served = await serve(defineModule({ name: 'M', description: 'D', functions: [double] }))
const { checks } = await checkModule(served.url)
const data = [{ ts: 1, value: 21, origin: 'o', generated: 'o' }]
const body = JSON.stringify({ id: 'l', data, args: { function_id: 'double', constants: {} } })
const answered = await fetch(served.url + '/process', { method: 'POST', body })
const answer = (await answered.json()).map((outlet) => outlet.map(({ value }) => value))
await served.close()
const refused = readInfo([]).error === undefined ? 'read' : 'no object'
const failed = checks.filter(({ ok }) => !ok)
console.log(JSON.stringify({ answer, failed, count: checks.length, refused }))
`

/** Two lines are wrong: an SDK without its types would let them pass. */
const typed = `
import { defineFunction } from '@millrace/insight-sdk'
export const scale = defineFunction({
  id: 'scale', name: 'Scale', description: 'Times a factor',
  constants: { factor: { type: 'number', default: 2 } },
  inlets: { x: { name: 'X', primitive_type: 'NUMERIC' } },
  outlets: { y: { name: 'Y', primitive_type: 'NUMERIC' } },
  process({ constants, inlet, emit }) {
    const wrong: string = constants.factor
    for (const source of inlet('x')) emit('y', source, 'text')
    void wrong
  },
})
`
