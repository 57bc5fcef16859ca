export { announced } from './announced.ts'
export { type Changes, createChanges, type SeenIn } from './changes.ts'
export { type ChangeTopic, changeTopics, topicsInGroups } from './topics.ts'
