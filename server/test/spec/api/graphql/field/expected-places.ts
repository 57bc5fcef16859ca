import type { Plant } from './plant.ts'

type User = { readonly id: string; readonly email: string; readonly name: string }

/** Returns the answers to the documents about places and people. */
export function expectedPlaces(plant: Plant) {
  const { account, people, product } = plant
  const owner = { id: people.owner, email: account.email, name: '' }
  const vera = { id: people.vera, email: people.email, name: 'Vera' }
  const products = [
    {
      pid: product,
      name: 'Pumps',
      isSimulator: false,
      settings: { fqdn: `${product}.localhost` },
    },
  ]
  const groups = expectGroups(plant, owner, vera)
  return { owner, vera, groups, products, devices: expectDevices(plant) }
}

function expectGroups({ groups, assets, product }: Plant, owner: User, vera: User) {
  const no = { node_type_id: null, custom_id: null }
  return [
    {
      id: groups.root,
      name: 'Root',
      parent_id: null,
      ...no,
      description: '',
      assets: [{ id: assets.tank }],
      devices: [{ id: `${product}.p-1` }],
      users: [owner],
      children: [{ id: groups.hall, name: 'Hall' }],
      roles: [{ name: 'Administrator' }],
      totals: { devices: 2, assets: 3, groups: 2, users: 2 },
    },
    {
      id: groups.hall,
      name: 'Hall',
      parent_id: groups.root,
      node_type_id: 'site',
      custom_id: 'H1',
      description: 'The root of it all.',
      assets: [{ id: assets.pump }],
      devices: [{ id: `${product}.spare` }],
      users: [vera],
      children: [{ id: groups.line, name: 'Line' }],
      roles: [{ name: 'Viewer' }],
      totals: { devices: 1, assets: 2, groups: 1, users: 1 },
    },
    {
      id: groups.line,
      name: 'Line',
      parent_id: groups.hall,
      ...no,
      description: '',
      assets: [{ id: assets.truck }],
      devices: [],
      users: [],
      children: [],
      roles: [],
      totals: { devices: 0, assets: 1, groups: 0, users: 0 },
    },
  ]
}

function expectDevices({ channels, product }: Plant) {
  return [
    {
      id: `${product}.p-1`,
      identity: 'p-1',
      name: 'p-1',
      description: '',
      locked: false,
      tags: [],
      resources: [
        { name: 'config_io', value: JSON.stringify({ channels }) },
        { name: 'data_in', value: '{"001":71,"002":false}' },
        { name: 'speed', value: '3' },
      ],
      state: { connected: true },
    },
    {
      id: `${product}.spare`,
      identity: 'spare',
      name: 'Spare',
      description: 'In the box.',
      locked: true,
      tags: [{ name: 'floor', value: '2' }],
      resources: [],
      state: { connected: false, lastHeard: null },
    },
  ]
}
