// Requests that are costly to read, whatever they are answered.
import { statusOf } from './step.js';

/** Nearly as long as the headers of a request, and its first line with them, may be. */
const QUERY_CHARACTERS = 15_500;

export const QUERY_ATTACKS = [
  { name: 'query of many names', lanes: 4, step: (context) => statusOf(context, `/api/inbox/x?${manyNames()}`) },
  // Of looks, a client has five hundred times as many as of fetches.
  {
    name: 'looks of many names',
    lanes: 8,
    step: (context) => statusOf(context, `/api/inbox/x/summary?${manyNames()}`),
  },
];

/** As many parameters as a query can hold, each with a name of its own. */
function manyNames() {
  let query = '';
  for (let n = 0; query.length < QUERY_CHARACTERS; n++) query += `${n.toString(36)}&`;
  return query;
}
