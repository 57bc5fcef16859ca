import { strict as assert } from 'node:assert'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { upload } from '../support/csv.ts'
import { testPlatform } from '../support/platform.ts'

test('the file field `identities` is whitelisted, and answered as CSV', async (t) => {
  const there = await testPlatform(t)
  const { status, type, text } = await upload(there, 'ID\r\npump-1\r\npump-2\r\n')
  assert.equal(status, 200, text)
  assert.equal(type, 'text/csv; charset=utf-8')
  assert.equal(text, 'ID,status,code,message\r\npump-1,added,,\r\npump-2,added,,\r\n')
  const { provisioning } = there.platform
  const record = await provisioning.identities.get(there.businessId, there.connector.id, 'pump-2')
  assert.equal(record.status, 'whitelisted')
})

test('nothing of an upload is left on the disk', async (t) => {
  const there = await testPlatform(t)
  await upload(there, 'ID\npump-1\n')
  await upload(there, '"')
  assert.deepEqual(await readdir(join(there.platform.config.dataDir, 'uploads')), [])
})
