import { changeTopics } from '../../../changes/index.ts'
import { StrictObject, Type } from '../../../kernel/index.ts'
import { refusalSchema } from '../common.ts'
import { contract } from '../contract.ts'

const topic = Type.Enum(Object.keys(changeTopics) as (keyof typeof changeTopics)[], {
  component: 'ChangeTopic',
  description: Object.entries(changeTopics)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join(' '),
})

const heartbeat = 'The milliseconds between its comments.'

export const followChanges = contract(
  {
    id: 'followChanges',
    method: 'GET',
    path: '/api:1/changes',
    permission: 'account',
    tag: 'accounts',
    summary: 'Follow which kinds of things of the business change.',
    description:
      'Server-sent events `changed` without content: a program that shows a list reads it again. ' +
      'Of what the caller may not list there are none; at most one event in a second. What ' +
      'changed before the stream was open does not come: read the lists when it is. It ends ' +
      'within a second if the credential is revoked, or what it permits changes. Callers of some ' +
      'groups are refused, since a topic does not say in which group its change was.',
  },
  () => ({
    answers: {
      200: {
        description: 'Events `changed`, until an event `end` with the reason.',
        events: { changed: StrictObject({ topics: Type.Array(topic) }), end: refusalSchema },
        headers: { 'millrace-heartbeat': Type.Integer({ description: heartbeat }) },
      },
    },
    refuses: ['forbidden'],
  }),
)
