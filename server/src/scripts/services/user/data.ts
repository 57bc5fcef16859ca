import { Fault, type Implementation } from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { type UserOptions, unknownUser, written } from './common.ts'
import { solutionUserLimits } from './limits.ts'
import type { UserSchemas } from './operations.ts'
import { deleteData, holdUser, readData, writeData } from './store/data.ts'
import { findUser } from './store/users.ts'

type Operations = Implementation<ServiceCall, UserSchemas>

/** Texts that a solution keeps of a user. */
export function dataOperations({
  database,
}: UserOptions): Pick<
  Operations,
  'createUserData' | 'updateUserData' | 'listUserData' | 'getUserData' | 'deleteUserData'
> {
  async function read(solutionId: string, id: number): Promise<Map<string, string>> {
    if ((await findUser(database, solutionId, id)) === undefined) throw unknownUser()
    return readData(database, solutionId, id)
  }

  async function write(
    solutionId: string,
    id: number,
    given: Readonly<Record<string, unknown>>,
    isNew: boolean,
  ) {
    const data = textsIn(given)
    await database.transaction(async (transaction) => {
      if (!(await holdUser(transaction, solutionId, id))) throw unknownUser()
      const before = await readData(transaction, solutionId, id)
      const known = [...data.keys()].find((key) => before.has(key))
      if (isNew && known !== undefined) {
        throw new Fault('invalid_argument', `the user has ${known} already`)
      }
      refuseTooMuch(new Map([...before, ...data]))
      await writeData(transaction, solutionId, id, data)
    })
    return written
  }

  return {
    createUserData: ({ solutionId }, { id, ...data }) => write(solutionId, id, data, true),
    updateUserData: ({ solutionId }, { id, ...data }) => write(solutionId, id, data, false),
    async listUserData({ solutionId }, { id }) {
      return Object.fromEntries(await read(solutionId, id))
    },
    async getUserData({ solutionId }, { id, key }) {
      const value = (await read(solutionId, id)).get(key)
      if (value === undefined) throw new Fault('not_found', 'the user has no such data')
      return { [key]: value }
    },
    async deleteUserData({ solutionId }, { id, keys }) {
      if ((await findUser(database, solutionId, id)) === undefined) throw unknownUser()
      await deleteData(database, solutionId, id, keys)
      return written
    },
  }
}

/** Numbers and booleans are taken as their texts. @throws Fault invalid_argument */
function textsIn(given: Readonly<Record<string, unknown>>): Map<string, string> {
  const texts = Object.entries(given).map(([key, value]): [string, string] => {
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(key) || key === '__proto__') {
      throw new Fault('invalid_argument', `${key.slice(0, 64)} cannot be a key of data`)
    }
    const isText = ['string', 'number', 'boolean'].includes(typeof value)
    const text = String(value)
    if (isText && !text.includes('\0')) return [key, text]
    throw new Fault('invalid_argument', `${key} must be a text`)
  })
  if (texts.length === 0) throw new Fault('invalid_argument', 'a key with a value must be given')
  return new Map(texts)
}

function refuseTooMuch(data: ReadonlyMap<string, string>): void {
  let bytes = 0
  for (const [key, value] of data) bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  if (bytes <= solutionUserLimits.userDataBytesMax) return
  throw new Fault(
    'too_large',
    `a user may have ${solutionUserLimits.userDataBytesMax} bytes of data`,
  )
}
