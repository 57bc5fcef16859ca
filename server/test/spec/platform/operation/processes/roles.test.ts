import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  type ProcessRole,
  parseRoles,
  processRoles,
} from '../../../../../src/foundation/kernel/index.ts'
import { comes } from '../../../../fixtures/demo.ts'
import { type OwnPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'
import { newDevice } from '../../../../fixtures/wire/device.ts'

type Process = Awaited<ReturnType<OwnPlatform['another']>>

/** A path that each role answers. */
const paths: Readonly<Record<ProcessRole, readonly string[]>> = {
  device: ['/timestamp'],
  worker: [],
  api: ['/api:1/openapi.json', '/api/graphql', '/solution/pump/x', '/'],
}

describe('processes of one role', () => {
  const suite = suiteContext()
  let millrace: OwnPlatform
  const processes = new Map<ProcessRole, Process>()
  before(async () => {
    millrace = await testPlatform(suite, { own: 'has one role', config: { roles: ['device'] } })
    processes.set('device', millrace)
    for (const role of ['worker', 'api'] as const) {
      processes.set(role, await millrace.another({ roles: [role] }))
    }
  })

  for (const role of processRoles) {
    it(`${role}: answers what is its own, and 421 with the role for all else`, async () => {
      const { httpUrl } = processes.get(role) ?? assert.fail()
      for (const other of processRoles) {
        for (const path of paths[other]) {
          const answer = await fetch(`${httpUrl}${path}`)
          assert.equal(answer.status === 421, role !== other, path)
          if (role === other) continue
          const { code, message } = (await answer.json()) as { code: string; message: string }
          assert.equal(code, 'wrong_role')
          assert.equal(
            message,
            `This needs a process with the role ${other}; this one has ${role}.`,
          )
        }
      }
    })

    it(`${role}: shows its health and its roles`, async () => {
      const { httpUrl } = processes.get(role) ?? assert.fail()
      const answer = await fetch(`${httpUrl}/healthz`)
      assert.deepEqual(await answer.json(), { status: 'ok', roles: [role] })
    })
  }

  it('ports of devices are opened by a process of that role alone', async () => {
    const ports = ({ tlsUrl, mqttUrl = '', mqttTlsUrl = '' }: Process) =>
      [tlsUrl, mqttUrl, mqttTlsUrl].map((url) => new URL(url).port !== '0')
    const of = (role: ProcessRole) => ports(processes.get(role) ?? assert.fail())
    assert.deepEqual(of('device'), [true, true, true])
    assert.deepEqual(of('worker'), [false, false, false])
    assert.deepEqual(of('api'), [true, false, false], 'the API answers over TLS too')
  })

  it('what one takes from a device, another handles', async () => {
    const device = await newDevice(millrace.httpUrl, millrace.connector.id, 'one')
    assert.equal((await device.write('temperature=21.5')).status, 204)
    const worker = processes.get('worker') ?? assert.fail()
    await comes(async () => {
      const { stages, faults } = await worker.platform.eventlog.ledger.verify()
      assert.deepEqual(faults, [])
      const values = stages.find(({ stage }) => stage === 'values')
      return values !== undefined && values.done >= 2 && values.pending === 0 ? true : undefined
    })
  })
})

it('roles are named in any order, and one that there is not is refused by name', () => {
  assert.deepEqual(parseRoles('--roles', 'api, device'), ['device', 'api'])
  assert.throws(() => parseRoles('--roles', 'worker,cook'), /--roles is "cook"/)
  assert.throws(() => parseRoles('--roles', ','), /--roles names no role/)
})
