import { createHash } from 'node:crypto'
import type { Secrets } from '../../../devices/provisioning/index.ts'
import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  checkedText,
  detached,
  Fault,
  invalid,
  type Logger,
  limits,
  parseOwnJson,
} from '../../../foundation/kernel/index.ts'
import { createRepeatStore, type StoredAnswer } from '../store.ts'

/** The time for which the answer of a mutation with a `clientMutationId` is kept. */
const graphqlMutationHours = 24
/** Answers of mutations with a `clientMutationId` that are kept of one business. */
const graphqlMutationsMax = 10_000

/** A field of Mutation that was sent with a name of its sender's own. */
export type NamedMutation = {
  readonly businessId: string
  readonly subject: string
  readonly clientMutationId: string
  readonly field: string
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * Mutations that are sent again. The answer of a named one is stored in the transaction of what it
 * changes, so it was made and is known, or neither; one that fails is undone whole, and runs again.
 */
export type Repeats = {
  /**
   * Runs a mutation, or returns what it returned when its sender sent it before. If two come at
   * once, one runs and the other waits for it.
   * @throws Fault `already_exists` for a name that another mutation has; `overloaded` past
   * graphqlMutationsMax; what the mutation throws.
   */
  once<Result>(mutation: NamedMutation, run: () => Promise<Result>): Promise<Result>
}

export type RepeatsOptions = {
  readonly database: Database
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  readonly clock: Clock
  readonly logger: Logger
}

/** Fields whose answer has a secret: it is not kept, and a repetition is refused. */
const shownOnce: ReadonlySet<string> = new Set(['createToken'])

const usPerHour = 3_600_000_000

export function createRepeats(options: RepeatsOptions): Repeats {
  const { database, secrets, clock, logger } = options
  const store = createRepeatStore(database)
  let sweptMs = clock.elapsedMs()

  const sealContext = ({ businessId, subject, clientMutationId }: NamedMutation) =>
    `graphql/${businessId}/${subject}/${clientMutationId}`

  function repeatAnswer<Result>(
    mutation: NamedMutation,
    known: StoredAnswer,
    digest: string,
  ): Result {
    if (known.digest !== digest) {
      throw new Fault('already_exists', 'A different mutation used this clientMutationId.')
    }
    if (shownOnce.has(mutation.field)) {
      throw new Fault('already_exists', 'This was done before; its secret was shown once.')
    }
    return parseOwnJson<Result>(secrets.open(known.answer, sealContext(mutation)))
  }

  function sweep(oldestUs: number): void {
    if (clock.elapsedMs() - sweptMs < limits.retentionEveryMs) return
    sweptMs = clock.elapsedMs()
    detached(() => store.removeUntil(oldestUs)).catch((error) => {
      logger.warn({ err: error }, 'old answers of mutations could not be removed')
    })
  }

  return {
    async once<Result>(mutation: NamedMutation, run: () => Promise<Result>) {
      const key = mutationKey(mutation)
      const digest = digestMutation(mutation)
      const nowUs = clock.nowUs()
      const oldestUs = nowUs - graphqlMutationHours * usPerHour
      sweep(oldestUs)
      const known = await store.find(database, key, oldestUs)
      if (known !== undefined) return repeatAnswer<Result>(mutation, known, digest)
      return database.joined(async (transaction) => {
        if (!(await store.claim(transaction, key, { digest, nowUs, oldestUs }))) {
          const made = await store.find(transaction, key, oldestUs)
          if (made === undefined) throw new Fault('internal', 'the answer is gone')
          return repeatAnswer<Result>(mutation, made, digest)
        }
        await refuseTooMany(store, mutation, oldestUs)
        const result = await run()
        const kept = shownOnce.has(mutation.field) ? null : (result ?? null)
        const answer = secrets.seal(JSON.stringify(kept), sealContext(mutation))
        await store.keep(transaction, key, answer)
        return result
      })
    },
  }
}

function mutationKey({ businessId, subject, clientMutationId }: NamedMutation) {
  if (clientMutationId === '') throw invalid('a clientMutationId is not empty')
  checkedText(clientMutationId, 'a clientMutationId', limits.nameCharsMax)
  return [businessId, subject, clientMutationId] as const
}

function digestMutation({ field, args }: NamedMutation): string {
  return createHash('sha256')
    .update(JSON.stringify([field, args]))
    .digest('base64url')
}

async function refuseTooMany(
  store: ReturnType<typeof createRepeatStore>,
  { businessId }: NamedMutation,
  oldestUs: number,
): Promise<void> {
  const most = graphqlMutationsMax
  if ((await store.count(businessId, oldestUs, most + 1)) <= most) return
  const sentence = `A business has at most ${most} clientMutationIds in a day.`
  throw new Fault('overloaded', sentence, { retryAfterS: limits.retryAfterS })
}
