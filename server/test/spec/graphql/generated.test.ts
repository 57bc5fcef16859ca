import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { generatedFiles } from '../../../../dev/codegen/files.ts'

const root = join(import.meta.dirname, '../../../..')

test('the generated types are those of the schema: npm run codegen', async () => {
  const files = await generatedFiles()
  assert(files.size > 0)
  for (const [path, text] of files) {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path} is stale: npm run codegen`)
  }
})

test('a folder of generated files has no others', async () => {
  const paths = [...(await generatedFiles()).keys()]
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const found = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
    assert.deepEqual(
      found.filter((path) => !paths.includes(path)),
      [],
    )
  }
})
