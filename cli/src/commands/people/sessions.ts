import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { idOf } from './users.ts'

const emailOption = {
  meaning: 'The e-mail address of another user; default: your own sessions.',
} as const

export const sessionList = defineCommand({
  options: { email: emailOption },
  example:
    `echo 'a long phrase' | npx millrace user create --email jo@example.com --password-file - && ` +
    'npx millrace session list --email jo@example.com',
  routes: ['listSessions', 'listUsers', 'listUserSessions'],
  async run({ email }, { client, out }) {
    const api = await client()
    const { sessions } =
      email === undefined
        ? await unwrap(api.GET('/api:1/sessions'))
        : await unwrap(
            api.GET('/api:1/users/{user}/sessions', {
              params: { path: { user: await idOf(api, email) } },
            }),
          )
    out.show(sessions, () => columns(sessions.map(rowOf)))
    return undefined
  },
})

function rowOf(session: components['schemas']['Session']): string[] {
  const { id, created_at: created, last_used_at: used, address, method } = session
  const time = (ms: number) => new Date(ms).toISOString()
  const last = used === null ? 'not used' : `used ${time(used)}`
  return [id, time(created), last, address, method, session.user_agent]
}

export const sessionEnd = defineCommand({
  options: {
    email: emailOption,
    id: { meaning: 'The id of a session; see millrace session list.' },
    all: { meaning: 'All of them.', flag: true },
  },
  example:
    `echo 'a long phrase' | npx millrace user create --email al@example.com --password-file - && ` +
    'npx millrace session end --all --email al@example.com',
  routes: [...['endSession', 'endSessions', 'listUsers', 'endUserSession', 'endUserSessions']],
  async run({ email, id, all }, { client, out }) {
    if ((id !== undefined) === all) throw new UsageError('give either --id or --all')
    const api = await client()
    if (email === undefined) {
      if (id === undefined) await unwrap(api.DELETE('/api:1/sessions'))
      else {
        const params = { path: { session: id } }
        await unwrap(api.DELETE('/api:1/sessions/{session}', { params }))
      }
    } else {
      const user = await idOf(api, email)
      if (id === undefined) {
        await unwrap(api.DELETE('/api:1/users/{user}/sessions', { params: { path: { user } } }))
      } else {
        const params = { path: { user, session: id } }
        await unwrap(api.DELETE('/api:1/users/{user}/sessions/{session}', { params }))
      }
    }
    out.print(all ? 'the sessions have ended' : `the session ${id} has ended`)
    return undefined
  },
})
