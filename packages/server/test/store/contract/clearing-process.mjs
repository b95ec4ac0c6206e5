/** A process that clears an inbox. Arguments: the store's URL, its limits as JSON, the inbox, the current time. */
import { openStore } from '../../../dist/store/open-store.js';

const [url, limits, inbox, now] = process.argv.slice(2);
const { store } = await openStore(url, JSON.parse(limits));
await store.clear(inbox, Number(now));
await store.close();
