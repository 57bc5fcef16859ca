import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parse } from 'graphql'
import { documentModules } from '../../../../../dev/generate/documents.ts'

function planted(text: string): string {
  const modules = documentModules([{ location: 'a.graphql', document: parse(text) }])
  return modules.map(([, module]) => module).join('\n')
}

test('a document of the console that the schema does not allow generates nothing', () => {
  assert.throws(() => planted('query Q { assets { nam } }'), /Cannot query field "nam"/)
  const wrong = 'query Q($id: Int!) { asset(id: $id) { id } }'
  assert.throws(() => planted(wrong), /"\$id" of type/)
})

test('an operation is sent with the fragments that it uses, and no others', () => {
  const text = planted(`query A { assets { ...F } } query B { assetCount }
    fragment F on Asset { id } fragment G on Asset { name } query C { assets { ...G } }`)
  const [, a = '', b = ''] = text.split('text: ')
  assert.match(a, /query A.*fragment F on Asset/)
  assert.doesNotMatch(a, /fragment G/)
  assert.doesNotMatch(b, /fragment/)
})
