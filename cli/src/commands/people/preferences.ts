import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'

export const preferenceShow = defineCommand({
  options: {},
  example: 'npx millrace preference show',
  routes: ['getPreferences'],
  async run(_values, { client, out }) {
    const api = await client()
    const preferences = await unwrap(api.GET('/api:1/preferences'))
    out.show(preferences, () => columns(Object.entries(preferences.units)))
    return undefined
  },
})

export const preferenceUnits = defineCommand({
  options: {
    type: { meaning: 'A type of data of the catalogue, such as TEMPERATURE.', required: true },
    units: {
      meaning: 'The units to see; own: those of each signal.',
      choices: ['own', 'metric', 'us'],
      required: true,
    },
  },
  operand: 'type',
  example: 'npx millrace preference units TEMPERATURE --units us',
  routes: ['changePreferences'],
  async run({ type, units }, { client, out }) {
    const api = await client()
    const chosen: 'metric' | 'us' | null = units === 'metric' || units === 'us' ? units : null
    const body = { units: { [type]: chosen } }
    const preferences = await unwrap(api.PATCH('/api:1/preferences', { body }))
    out.show(preferences, () => columns(Object.entries(preferences.units)))
    return undefined
  },
})
