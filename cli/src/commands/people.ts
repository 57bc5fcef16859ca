import type { Entry } from '../command.ts'

/** The commands of users, invitations, roles, groups, API tokens and the audit log. */
export const peopleCommands: Readonly<Record<string, Entry>> = {
  'user list': {
    summary: 'Print the users of a business, with their roles.',
    load: async () => (await import('./people/users.ts')).userList,
  },
  'user show': {
    summary: 'Print a user, with the role and the groups.',
    load: async () => (await import('./people/users.ts')).userShow,
  },
  'user create': {
    summary: 'Create a user of a business, and print its id.',
    load: async () => (await import('./people/users.ts')).userCreate,
  },
  'user change': {
    summary: 'Change the name, the role or the groups of a user.',
    load: async () => (await import('./people/users.ts')).userChange,
  },
  'user password': {
    summary: 'Set the password of a user, and end its sessions.',
    load: async () => (await import('./people/users.ts')).userPassword,
  },
  'user unlock': {
    summary: 'End the lock of a user after failed sign-ins.',
    load: async () => (await import('./people/users.ts')).userUnlock,
  },
  'user delete': {
    summary: 'Delete a user, and end its sessions.',
    load: async () => (await import('./people/users.ts')).userDelete,
  },
  'user totp-remove': {
    summary: 'Remove the second step of a user, who has lost the app and the recovery codes.',
    load: async () => (await import('./people/totp.ts')).userTotpRemove,
  },
  'password change': {
    summary: 'Change your password, and end your sessions.',
    load: async () => (await import('./people/passwords.ts')).passwordChange,
  },
  'password request': {
    summary: 'Send a mail with a link that sets a new password.',
    load: async () => (await import('./people/passwords.ts')).passwordRequest,
  },
  'password reset': {
    summary: 'Set a new password by the link of a mail.',
    load: async () => (await import('./people/passwords.ts')).passwordReset,
  },
  'preference show': {
    summary: 'Print what you prefer to see in the console.',
    load: async () => (await import('./people/preferences.ts')).preferenceShow,
  },
  'preference units': {
    summary: 'Choose the units in which you see values of a type of data.',
    load: async () => (await import('./people/preferences.ts')).preferenceUnits,
  },
  'session list': {
    summary: 'Print open sessions, newest first.',
    load: async () => (await import('./people/sessions.ts')).sessionList,
  },
  'session end': {
    summary: 'End one session, or all.',
    load: async () => (await import('./people/sessions.ts')).sessionEnd,
  },
  'totp show': {
    summary: 'Print whether your sign-ins have a second step.',
    load: async () => (await import('./people/totp.ts')).totpShow,
  },
  'totp begin': {
    summary: 'Begin to set up a second step, by an app that shows codes.',
    load: async () => (await import('./people/totp.ts')).totpBegin,
  },
  'totp confirm': {
    summary: 'Confirm the second step by a code, and print the recovery codes.',
    load: async () => (await import('./people/totp.ts')).totpConfirm,
  },
  'totp codes': {
    summary: 'Replace your recovery codes, and print them.',
    load: async () => (await import('./people/totp.ts')).totpCodes,
  },
  'totp remove': {
    summary: 'Remove the second step of your sign-ins.',
    load: async () => (await import('./people/totp.ts')).totpRemove,
  },
  'oidc show': {
    summary: 'Print the OpenID Connect provider of a business.',
    load: async () => (await import('./people/oidc.ts')).oidcShow,
  },
  'oidc set': {
    summary: 'Set the OpenID Connect provider at which users of a business sign in.',
    load: async () => (await import('./people/oidc.ts')).oidcSet,
  },
  'oidc remove': {
    summary: 'Remove the OpenID Connect provider of a business.',
    load: async () => (await import('./people/oidc.ts')).oidcRemove,
  },
  'invitation list': {
    summary: 'Print the invitations that were not accepted, newest first.',
    load: async () => (await import('./people/invitations.ts')).invitationList,
  },
  'invitation create': {
    summary: 'Invite a person by mail, and print the id of the invitation.',
    load: async () => (await import('./people/invitations.ts')).invitationCreate,
  },
  'invitation resend': {
    summary: 'Send an invitation again, with another link that is valid as long.',
    load: async () => (await import('./people/invitations.ts')).invitationResend,
  },
  'invitation revoke': {
    summary: 'Revoke an invitation: its link is refused from then on.',
    load: async () => (await import('./people/invitations.ts')).invitationRevoke,
  },
  'invitation accept': {
    summary: 'Accept an invitation: become a user of the business.',
    load: async () => (await import('./people/invitations.ts')).invitationAccept,
  },
  'audit list': {
    summary: 'Print who did what from where, newest first.',
    load: async () => (await import('./people/audit.ts')).auditList,
  },
  'audit export': {
    summary: 'Print all that the audit log has as CSV, newest first.',
    load: async () => (await import('./people/audit.ts')).auditExport,
  },
  'role list': {
    summary: 'Print the roles of a business, with their permissions.',
    load: async () => (await import('./people/roles.ts')).roleList,
  },
  'role create': {
    summary: 'Create a role from permissions.',
    load: async () => (await import('./people/roles.ts')).roleCreate,
  },
  'role change': {
    summary: 'Change the permissions of a role, for all that have it.',
    load: async () => (await import('./people/roles.ts')).roleChange,
  },
  'role limit': {
    summary: "Set the limits of a role's API tokens in the graph API.",
    load: async () => (await import('./people/roles.ts')).roleLimit,
  },
  'role delete': {
    summary: 'Delete a role that nobody has.',
    load: async () => (await import('./people/roles.ts')).roleDelete,
  },
  'group list': {
    summary: 'Print the groups of a business as a tree.',
    load: async () => (await import('./people/groups.ts')).groupList,
  },
  'group create': {
    summary: 'Create a group, and print its id.',
    load: async () => (await import('./people/groups.ts')).groupCreate,
  },
  'group change': {
    summary: 'Rename a group, or move it with all that lies below it.',
    load: async () => (await import('./people/groups.ts')).groupChange,
  },
  'group delete': {
    summary: 'Delete a group; what lies in it moves to its parent.',
    load: async () => (await import('./people/groups.ts')).groupDelete,
  },
  'token create': {
    summary: 'Create an API token; it is printed once and cannot be shown again.',
    load: async () => (await import('./people/tokens.ts')).tokenCreate,
  },
  'token list': {
    summary: 'Print the API tokens of a business, newest first.',
    load: async () => (await import('./people/tokens.ts')).tokenList,
  },
  'token revoke': {
    summary: 'Revoke an API token: from then on it is refused.',
    load: async () => (await import('./people/tokens.ts')).tokenRevoke,
  },
}
