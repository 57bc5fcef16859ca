import { defineTexts } from '../../ui/texts.ts'

const views = {
  users: 'Users',
  invitations: 'Invitations',
  roles: 'Roles',
  groups: 'Groups',
  tokens: 'API tokens',
  'sign-in': 'Sign-in',
  audit: 'Audit log',
  limits: 'Limits and use',
  health: 'Health',
} as const

export type ViewName = keyof typeof views

/** The names of the parts of Setup. */
export const setupTexts = defineTexts(
  {
    title: 'Setup',
    ...views,
    whole: 'whole business',
    hidden: 'of other groups',
  },
  {
    de: {
      title: 'Einrichtung',
      users: 'Benutzer',
      invitations: 'Einladungen',
      roles: 'Rollen',
      groups: 'Gruppen',
      tokens: 'API-Tokens',
      'sign-in': 'Anmeldung',
      audit: 'Änderungsprotokoll',
      limits: 'Grenzen und Nutzung',
      health: 'Betriebszustand',
      whole: 'ganzes Unternehmen',
      hidden: 'andere Gruppen',
    },
  },
)
