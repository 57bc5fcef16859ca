import { type FollowOptions, follow, type operations } from '@millrace/client'
import type { Client } from '../client.ts'

type Answers = operations['followChanges']['responses'][200]['content']['text/event-stream']

/** A kind of things of the business that change. */
export type ChangeTopic = Extract<Answers, { event: 'changed' }>['data']['topics'][number]

/** `covers` comes first, with the topics whose changes are sent. */
export type ChangeEvent = Extract<Answers, { event: 'covers' | 'changed' }>

/**
 * Follows changes in the business as they happen.
 * @throws ApiError
 */
export function followChanges(client: Client, options: FollowOptions): AsyncGenerator<ChangeEvent> {
  return follow(client, '/api:1/changes', {}, options)
}
