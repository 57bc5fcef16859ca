import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parse } from 'graphql'
import { documentModules } from '../../../../dev/generate/documents.ts'

async function planted(text: string): Promise<string> {
  const modules = await documentModules([{ location: 'a.graphql', document: parse(text) }])
  return modules.map(([, module]) => module).join('\n')
}

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
