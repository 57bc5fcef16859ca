import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { wholeView } from '../../../src/groups/index.ts'
import { limits } from '../../../src/kernel/index.ts'
import {
  assertAccessible,
  consoleSkipped,
  type TestConsole,
  testConsole,
} from '../../fixtures/browser/console.ts'
import type { TestPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

const password = 'a long enough phrase'
let instance: TestPlatform
let shown: TestConsole
let page: Page

/** Chooses an action of a row. */
async function act(row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const dialog = () => page.getByRole('dialog')
const gone = () => dialog().waitFor({ state: 'detached' })

async function ask(path: string) {
  const headers = { authorization: instance.basic }
  const answer = await fetch(`${instance.httpUrl}/api:1${path}`, { headers })
  return (await answer.json()) as Record<string, never[]>
}

async function begin(suite: ReturnType<typeof suiteContext>, path: string): Promise<void> {
  ;({ instance, shown } = await testConsole(suite))
  page = await shown.tab(path)
  await shown.signIn(page, instance.account)
}

describe('groups and roles in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(() => begin(suite, '/setup'))

  it('makes, renames, moves and deletes groups', async () => {
    await page.getByRole('navigation', { name: 'Setup' }).getByText('Groups').click()
    for (const name of ['Plant 1', 'Plant 2']) {
      await page.getByRole('button', { name: 'New group', exact: true }).click()
      await dialog().getByRole('button', { name: 'Create the group' }).click()
      await dialog().getByText('This is needed.').waitFor()
      await dialog().getByLabel('Name').fill(name)
      await dialog().getByRole('button', { name: 'Create the group' }).click()
      await gone()
    }
    await act('Plant 2', 'Rename')
    await dialog().getByLabel('Name').fill('<b>Hall</b> ‮7')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await gone()
    await act('<b>Hall</b> ‮7', 'Move')
    await dialog().getByLabel('Into').selectOption({ label: 'Plant 1' })
    await assertAccessible(page, 'setup-groups-move')
    await dialog().getByRole('button', { name: 'Move' }).click()
    await gone()
    const groups = await instance.platform.groups.list(wholeView(instance.businessId))
    const plant = groups.find(({ name }) => name === 'Plant 1')
    const hall = groups.find(({ name }) => name === '<b>Hall</b> ‮7')
    assert.equal(hall?.parentId, plant?.id)
    await assertAccessible(page, 'setup-groups')
    await act('Plant 1', 'Delete')
    await dialog()
      .getByText(/Hall.*moves to the group above/)
      .waitFor()
    await dialog().getByRole('button', { name: 'Delete the group' }).click()
    await gone()
    const left = await instance.platform.groups.list(wholeView(instance.businessId))
    assert.deepEqual(
      left.map(({ depth }) => depth),
      [0, 1],
    )
  })

  it('makes a role with permissions and limits, and changes it', async () => {
    await page.goto(`${shown.origin}/setup/roles`)
    await page.getByRole('button', { name: 'New role' }).click()
    await dialog().getByLabel('Name').fill('Viewer')
    await dialog().getByRole('button', { name: 'Create the role' }).click()
    await dialog().getByText('There is a role of that name.').waitFor()
    await dialog().getByLabel('Name').fill('Analyst')
    await dialog().getByLabel('View Asset', { exact: true }).check()
    await dialog().getByLabel('Requests').fill('30')
    await assertAccessible(page, 'setup-role')
    await dialog().getByRole('button', { name: 'Create the role' }).click()
    await gone()
    await act('Analyst', 'Change')
    await dialog().getByLabel('View Asset Data').check()
    await dialog().getByRole('button', { name: 'Save the role' }).click()
    await gone()
    const roles = (await ask('/roles')).roles as { name: string }[] | undefined
    assert.deepEqual(
      roles?.find(({ name }) => name === 'Analyst'),
      {
        name: 'Analyst',
        permissions: ['View Asset Data', 'View Asset'],
        rate_limits: { requests: 30, time: null },
      },
    )
    await assertAccessible(page, 'setup-roles')
    await act('Analyst', 'Delete')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await gone()
    await page.getByText('Analyst').waitFor({ state: 'detached' })
  })
})

describe('users in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(async () => {
    await begin(suite, '/setup')
    const { platform, businessId } = instance
    await platform.groups.create(wholeView(businessId), { name: 'Hall', description: '' })
  })

  it('makes a user who signs in, and changes the user', async () => {
    await page.goto(`${shown.origin}/setup/users`)
    await page.getByRole('button', { name: 'New user' }).click()
    await dialog().getByRole('button', { name: 'Create' }).click()
    assert.equal(await dialog().getByText('This is needed.').count(), 2)
    await dialog().getByLabel('E-mail address').fill('ann@example.com')
    await dialog().getByLabel('Password', { exact: true }).fill('short')
    await dialog().getByRole('button', { name: 'Create' }).click()
    await dialog()
      .getByRole('alert')
      .getByText(/A password has 10/)
      .waitFor()
    await dialog().getByLabel('Password', { exact: true }).fill(password)
    await dialog().getByLabel('Sees the whole business').uncheck()
    await dialog().getByRole('button', { name: 'Create' }).click()
    await dialog().getByText('Choose at least one group.').waitFor()
    await dialog().getByRole('combobox', { name: 'Groups' }).fill('Hall')
    await page.getByRole('option', { name: /Hall/ }).click()
    await dialog().getByLabel('Name').click()
    await assertAccessible(page, 'setup-user')
    await dialog().getByRole('button', { name: 'Create' }).click()
    await gone()
    await instance.platform.accounts.signIn('ann@example.com', password)
    await act('ann@example.com', 'Change')
    await dialog().getByLabel('Name').fill('Ann')
    await dialog().getByLabel('Role').selectOption('Operator')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await gone()
    const users = (await ask('/users')).users as { name: string; role: string; groups: [] }[]
    const ann = users.find(({ name }) => name === 'Ann')
    assert.deepEqual([ann?.role, ann?.groups.length], ['Operator', 1])
    await assertAccessible(page, 'setup-users')
  })

  it('names what goes with a user, and deletes the user', async () => {
    await act('ann@example.com', 'Delete')
    await dialog()
      .getByText(/Sessions \(1\)/)
      .waitFor()
    await assertAccessible(page, 'setup-user-delete')
    await dialog().getByRole('button', { name: 'Delete the user' }).click()
    await gone()
    assert.equal((await ask('/users')).users?.length, 1)
  })

  it('asks before it ends the sessions of a user', async () => {
    const ivan = { email: 'ivan@example.com', password }
    await instance.platform.accounts.createUser(instance.businessId, { ...ivan, role: 'Viewer' })
    const begun = await fetch(`${instance.httpUrl}/api:1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ivan),
    })
    const { token } = (await begun.json()) as { token: string }
    const headers = { authorization: `token ${token}` }
    const status = async () => (await fetch(`${instance.httpUrl}/api:1/whoami`, { headers })).status
    await act(ivan.email, 'End all sessions')
    const dialog = page.getByRole('dialog', { name: `End all sessions of ${ivan.email}?` })
    await assertAccessible(page, 'setup-end-sessions')
    assert.equal(await status(), 200)
    await dialog.getByRole('button', { name: 'End the sessions', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await status(), 401)
  })

  it('shows when a user has signed in last', async () => {
    const { platform, businessId } = instance
    const kim = { email: 'kim@example.com', password }
    await platform.accounts.createUser(businessId, { ...kim, role: 'Viewer' })
    const row = page.getByRole('row').filter({ hasText: kim.email })
    await page.goto(`${shown.origin}/setup/users`)
    await row.getByText('none known', { exact: true }).waitFor()
    await platform.accounts.signIn(kim.email, kim.password)
    await page.goto(`${shown.origin}/setup/users`)
    const at = await row.locator('time').getAttribute('datetime')
    const users = (await ask('/users')).users as { email: string; last_sign_in_at: number }[]
    const found = users.find(({ email }) => email === kim.email)
    assert.equal(Date.parse(at ?? ''), found?.last_sign_in_at)
    await assertAccessible(page, 'setup-users-last')
  })

  it('shows who is locked, and unlocks', async () => {
    const eve = { email: 'eve@example.com', password }
    await instance.platform.accounts.createUser(instance.businessId, { ...eve, role: 'Viewer' })
    for (let tries = 0; tries < limits.failedSignInsMax; tries += 1) {
      const headers = { authorization: `Basic ${btoa(`${eve.email}:wrong`)}` }
      await fetch(`${instance.httpUrl}/api:1/whoami`, { headers })
    }
    await page.getByText('locked', { exact: true }).waitFor()
    await act(eve.email, 'Unlock')
    await page.getByText('locked', { exact: true }).waitFor({ state: 'detached' })
    const headers = { authorization: `Basic ${btoa(`${eve.email}:${password}`)}` }
    assert.equal((await fetch(`${instance.httpUrl}/api:1/whoami`, { headers })).status, 200)
    assert.deepEqual(
      shown.errors.filter((one) => !/status of 400/.test(one)),
      [],
    )
  })
})

describe('invitations and API tokens in Setup', { skip: consoleSkipped }, () => {
  const suite = suiteContext()

  before(() => begin(suite, '/setup/invitations'))

  it('invites, sends again and revokes', async () => {
    await page.getByText(/Nobody is invited now/).waitFor()
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await dialog().getByLabel('E-mail address').fill('bob')
    await dialog().getByRole('button', { name: 'Send the invitation' }).click()
    await dialog().getByText('This is no e-mail address.').waitFor()
    await dialog().getByLabel('E-mail address').fill('bob@example.com')
    await assertAccessible(page, 'setup-invite')
    await dialog().getByRole('button', { name: 'Send the invitation' }).click()
    await gone()
    const sent = async () => (await instance.platform.mail.list()).length
    while ((await sent()) < 1) await page.waitForTimeout(50)
    await assertAccessible(page, 'setup-invitations')
    await act('bob@example.com', 'Send again')
    while ((await sent()) < 2) await page.waitForTimeout(50)
    await act('bob@example.com', 'Revoke')
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await gone()
    assert.deepEqual((await ask('/invitations')).invitations, [])
  })

  it('makes a token that works as the page shows it, and revokes it', async () => {
    await page.goto(`${shown.origin}/setup/tokens`)
    await page.getByRole('button', { name: 'New API token' }).click()
    await dialog().getByLabel('Name').fill('reporting')
    await dialog().getByLabel('Role').selectOption('Viewer')
    await dialog().getByLabel('Expires').selectOption('on a date')
    await dialog().getByLabel('Date').fill('2001-01-01')
    await dialog().getByRole('button', { name: 'Create the token' }).click()
    await dialog().getByText('A day to come.').waitFor()
    await dialog().getByLabel('Expires').selectOption('after 30 days')
    await dialog().getByLabel('Network addresses').fill('127.0.0.0/8')
    await assertAccessible(page, 'setup-token')
    await dialog().getByRole('button', { name: 'Create the token' }).click()
    const line = await dialog().getByLabel('A first call with it', { exact: true }).innerText()
    await assertAccessible(page, 'setup-token-shown')
    const { stdout } = await promisify(execFile)('bash', ['-c', line])
    assert.deepEqual(JSON.parse(stdout).permissions, ['View Asset Data', 'View Asset'])
    await dialog().getByRole('button', { name: 'I have kept it' }).click()
    await gone()
    await assertAccessible(page, 'setup-tokens')
    await page.getByRole('button', { name: 'Revoke: reporting' }).click()
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await gone()
    const refused = await promisify(execFile)('bash', ['-c', line])
    assert.equal(JSON.parse(refused.stdout).code, 'unknown_credential')
    assert.equal((await ask('/api-tokens')).tokens?.length, 1)
  })

  it('shows what the role may do, and nothing else', async () => {
    const tom = { email: 'tom@example.com', password }
    const { accounts } = instance.platform
    await accounts.createRole(instance.businessId, {
      name: 'Installer',
      permissions: ['Setup', 'View Asset'],
    })
    await accounts.createUser(instance.businessId, { ...tom, role: 'Installer' })
    await shown.forget()
    page = await shown.tab('/setup')
    await shown.signIn(page, tom)
    const links = page.getByRole('navigation', { name: 'Setup' }).getByRole('link')
    await page.getByRole('heading', { name: 'Setup: API tokens' }).waitFor()
    assert.equal((await links.allInnerTexts()).includes('Users'), false)
    await page.goto(`${shown.origin}/setup/users`)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    assert.deepEqual(
      shown.errors.filter((one) => !/status of 400/.test(one)),
      [],
    )
  })
})
