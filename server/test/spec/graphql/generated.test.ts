import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'graphql'
import { documentTypes } from '../../../../dev/codegen/documents.ts'
import { generatedFiles } from '../../../../dev/codegen/files.ts'
import { referencePages } from '../../../../dev/reference/pages.ts'

const root = join(import.meta.dirname, '../../../..')

test('the generated types are those of the schema: npm run codegen', async () => {
  const files = await generatedFiles()
  assert(files.size > 0)
  for (const [path, text] of files) {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path} is stale: npm run codegen`)
  }
})

test('a folder of generated files has no others', async () => {
  const types = [...(await generatedFiles()).keys()]
  const paths = [...types, ...(await referencePages()).keys()]
  for (const folder of new Set(types.map((path) => dirname(path)))) {
    const found = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
    assert.deepEqual(
      found.filter((path) => !paths.includes(path)),
      [],
    )
  }
})

const planted = (text: string) => documentTypes([{ location: 'a.graphql', document: parse(text) }])

test('a document of the console that the schema does not allow generates nothing', async () => {
  await assert.rejects(planted('query Q { assets { nam } }'), /Cannot query field "nam"/)
  await assert.rejects(planted('query Q($id: Int!) { asset(id: $id) { id } }'), /"\$id" of type/)
})

test('an operation is sent with the fragments that it uses, and no others', async () => {
  const text = await planted(`query A { assets { ...F } } query B { assetCount }
    fragment F on Asset { id } fragment G on Asset { name } query C { assets { ...G } }`)
  const [, a = '', b = ''] = text.split('text: ')
  assert.match(a, /query A.*fragment F on Asset/)
  assert.doesNotMatch(a, /fragment G/)
  assert.doesNotMatch(b, /fragment/)
})
