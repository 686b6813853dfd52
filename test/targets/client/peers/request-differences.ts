/** The lines of a request, of which the other client's request has none. */
type Lines = readonly string[];

/** A kind of difference between the requests of our client and of hey-api's. */
export interface KnownRequestDifference {
  /** Why our request is right; "it" is hey-api. */
  readonly reason: string;
  /** The lines that only our client sends, and those that only hey-api's sends, by request. */
  readonly requests: Readonly<Record<string, readonly [ours: Lines, theirs: Lines]>>;
}

/** Every difference between the requests of both clients. */
export const knownRequestDifferences: readonly KnownRequestDifference[] = [
  {
    reason:
      "RFC 6570, 3.2.1: a value keeps only unreserved characters, and `!'()*` are reserved (RFC 3986, 2.2).",
    requests: {
      'pathSimple: reserved': [
        ['GET /pathSimple/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        ["GET /pathSimple/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k'(l)*!m%2520"],
      ],
      'pathSimpleExploded: reserved': [
        ['GET /pathSimpleExploded/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        ["GET /pathSimpleExploded/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k'(l)*!m%2520"],
      ],
      'queryForm: reserved': [
        ['GET /queryForm?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        ['GET /queryForm?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520'],
      ],
      'queryFormExploded: reserved': [
        [
          'GET /queryFormExploded?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520',
        ],
        ['GET /queryFormExploded?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520'],
      ],
      'querySpaceDelimited: reserved': [
        [
          'GET /querySpaceDelimited?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520',
        ],
        ['GET /querySpaceDelimited?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520'],
      ],
      'querySpaceDelimitedExploded: reserved': [
        [
          'GET /querySpaceDelimitedExploded?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520',
        ],
        [
          'GET /querySpaceDelimitedExploded?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520',
        ],
      ],
      'queryPipeDelimited: reserved': [
        [
          'GET /queryPipeDelimited?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520',
        ],
        ['GET /queryPipeDelimited?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520'],
      ],
      'queryPipeDelimitedExploded: reserved': [
        [
          'GET /queryPipeDelimitedExploded?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520',
        ],
        [
          'GET /queryPipeDelimitedExploded?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520',
        ],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.12.4: `simple` with `explode` writes the members of an object as `name=value`. It writes them as without.',
    requests: {
      'pathSimpleExploded: record': [
        ['GET /pathSimpleExploded/R=100,G=a%20b'],
        ['GET /pathSimpleExploded/R,100,G,a%20b'],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.12.4: `label` begins with a dot, which also separates exploded items. It writes `simple`.',
    requests: {
      'pathLabel: text': [['GET /pathLabel/.blue'], ['GET /pathLabel/blue']],
      'pathLabel: number': [['GET /pathLabel/.1.5'], ['GET /pathLabel/1.5']],
      'pathLabel: boolean': [['GET /pathLabel/.false'], ['GET /pathLabel/false']],
      'pathLabel: unicode': [
        ['GET /pathLabel/.%C3%A9%20%C3%BC%20%E6%9D%B1'],
        ['GET /pathLabel/%C3%A9%20%C3%BC%20%E6%9D%B1'],
      ],
      'pathLabel: reserved': [
        ['GET /pathLabel/.a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        ["GET /pathLabel/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k'(l)*!m%2520"],
      ],
      'pathLabel: list': [
        ['GET /pathLabel/.blue,a%2Cb,c%26d'],
        ['GET /pathLabel/blue,a%2Cb,c%26d'],
      ],
      'pathLabel: list of one': [['GET /pathLabel/.blue'], ['GET /pathLabel/blue']],
      'pathLabel: record': [['GET /pathLabel/.R,100,G,a%20b'], ['GET /pathLabel/R,100,G,a%20b']],
      'pathLabelExploded: text': [
        ['GET /pathLabelExploded/.blue'],
        ['GET /pathLabelExploded/blue'],
      ],
      'pathLabelExploded: number': [
        ['GET /pathLabelExploded/.1.5'],
        ['GET /pathLabelExploded/1.5'],
      ],
      'pathLabelExploded: boolean': [
        ['GET /pathLabelExploded/.false'],
        ['GET /pathLabelExploded/false'],
      ],
      'pathLabelExploded: unicode': [
        ['GET /pathLabelExploded/.%C3%A9%20%C3%BC%20%E6%9D%B1'],
        ['GET /pathLabelExploded/%C3%A9%20%C3%BC%20%E6%9D%B1'],
      ],
      'pathLabelExploded: reserved': [
        ['GET /pathLabelExploded/.a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        ["GET /pathLabelExploded/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k'(l)*!m%2520"],
      ],
      'pathLabelExploded: list': [
        ['GET /pathLabelExploded/.blue.a%2Cb.c%26d'],
        ['GET /pathLabelExploded/blue,a%2Cb,c%26d'],
      ],
      'pathLabelExploded: list of one': [
        ['GET /pathLabelExploded/.blue'],
        ['GET /pathLabelExploded/blue'],
      ],
      'pathLabelExploded: record': [
        ['GET /pathLabelExploded/.R=100.G=a%20b'],
        ['GET /pathLabelExploded/R,100,G,a%20b'],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.12.4: `matrix` begins with a semicolon and the name of the parameter. It writes `simple`.',
    requests: {
      'pathMatrix: text': [['GET /pathMatrix/;color=blue'], ['GET /pathMatrix/blue']],
      'pathMatrix: number': [['GET /pathMatrix/;color=1.5'], ['GET /pathMatrix/1.5']],
      'pathMatrix: boolean': [['GET /pathMatrix/;color=false'], ['GET /pathMatrix/false']],
      'pathMatrix: unicode': [
        ['GET /pathMatrix/;color=%C3%A9%20%C3%BC%20%E6%9D%B1'],
        ['GET /pathMatrix/%C3%A9%20%C3%BC%20%E6%9D%B1'],
      ],
      'pathMatrix: reserved': [
        ['GET /pathMatrix/;color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        ["GET /pathMatrix/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k'(l)*!m%2520"],
      ],
      'pathMatrix: list': [
        ['GET /pathMatrix/;color=blue,a%2Cb,c%26d'],
        ['GET /pathMatrix/blue,a%2Cb,c%26d'],
      ],
      'pathMatrix: list of one': [['GET /pathMatrix/;color=blue'], ['GET /pathMatrix/blue']],
      'pathMatrix: record': [
        ['GET /pathMatrix/;color=R,100,G,a%20b'],
        ['GET /pathMatrix/R,100,G,a%20b'],
      ],
      'pathMatrixExploded: text': [
        ['GET /pathMatrixExploded/;color=blue'],
        ['GET /pathMatrixExploded/blue'],
      ],
      'pathMatrixExploded: number': [
        ['GET /pathMatrixExploded/;color=1.5'],
        ['GET /pathMatrixExploded/1.5'],
      ],
      'pathMatrixExploded: boolean': [
        ['GET /pathMatrixExploded/;color=false'],
        ['GET /pathMatrixExploded/false'],
      ],
      'pathMatrixExploded: unicode': [
        ['GET /pathMatrixExploded/;color=%C3%A9%20%C3%BC%20%E6%9D%B1'],
        ['GET /pathMatrixExploded/%C3%A9%20%C3%BC%20%E6%9D%B1'],
      ],
      'pathMatrixExploded: reserved': [
        [
          'GET /pathMatrixExploded/;color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520',
        ],
        ["GET /pathMatrixExploded/a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k'(l)*!m%2520"],
      ],
      'pathMatrixExploded: list': [
        ['GET /pathMatrixExploded/;color=blue;color=a%2Cb;color=c%26d'],
        ['GET /pathMatrixExploded/blue,a%2Cb,c%26d'],
      ],
      'pathMatrixExploded: list of one': [
        ['GET /pathMatrixExploded/;color=blue'],
        ['GET /pathMatrixExploded/blue'],
      ],
      'pathMatrixExploded: record': [
        ['GET /pathMatrixExploded/;R=100;G=a%20b'],
        ['GET /pathMatrixExploded/R,100,G,a%20b'],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.12.4: an object is not written as `deepObject` in another style, and an array without `explode` is one value. Exploded objects are undefined in `spaceDelimited` and `pipeDelimited`, and written as in `form`. It ignores the style.',
    requests: {
      'queryForm: list': [
        ['GET /queryForm?color=blue,a%2Cb,c%26d'],
        ['GET /queryForm?color=blue&color=a%2Cb&color=c%26d'],
      ],
      'queryForm: record': [
        ['GET /queryForm?color=R,100,G,a%20b'],
        ['GET /queryForm?color[R]=100&color[G]=a%20b'],
      ],
      'queryForm: record with absent member': [
        ['GET /queryForm?color=R,100'],
        ['GET /queryForm?color[R]=100&'],
      ],
      'queryFormExploded: record': [
        ['GET /queryFormExploded?R=100&G=a%20b'],
        ['GET /queryFormExploded?color[R]=100&color[G]=a%20b'],
      ],
      'queryFormExploded: record with absent member': [
        ['GET /queryFormExploded?R=100'],
        ['GET /queryFormExploded?color[R]=100&'],
      ],
      'querySpaceDelimited: list': [
        ['GET /querySpaceDelimited?color=blue%20a%2Cb%20c%26d'],
        ['GET /querySpaceDelimited?color=blue&color=a%2Cb&color=c%26d'],
      ],
      'querySpaceDelimited: record with absent member': [
        ['GET /querySpaceDelimited?color=R%20100'],
        ['GET /querySpaceDelimited?color[R]=100&'],
      ],
      'querySpaceDelimitedExploded: record': [
        ['GET /querySpaceDelimitedExploded?R=100&G=a%20b'],
        ['GET /querySpaceDelimitedExploded?color[R]=100&color[G]=a%20b'],
      ],
      'querySpaceDelimitedExploded: record with absent member': [
        ['GET /querySpaceDelimitedExploded?R=100'],
        ['GET /querySpaceDelimitedExploded?color[R]=100&'],
      ],
      'queryPipeDelimited: list': [
        ['GET /queryPipeDelimited?color=blue%7Ca%2Cb%7Cc%26d'],
        ['GET /queryPipeDelimited?color=blue&color=a%2Cb&color=c%26d'],
      ],
      'queryPipeDelimited: record': [
        ['GET /queryPipeDelimited?color=R%7C100%7CG%7Ca%20b'],
        ['GET /queryPipeDelimited?color[R]=100&color[G]=a%20b'],
      ],
      'queryPipeDelimited: record with absent member': [
        ['GET /queryPipeDelimited?color=R%7C100'],
        ['GET /queryPipeDelimited?color[R]=100&'],
      ],
      'queryPipeDelimitedExploded: record': [
        ['GET /queryPipeDelimitedExploded?R=100&G=a%20b'],
        ['GET /queryPipeDelimitedExploded?color[R]=100&color[G]=a%20b'],
      ],
      'queryPipeDelimitedExploded: record with absent member': [
        ['GET /queryPipeDelimitedExploded?R=100'],
        ['GET /queryPipeDelimitedExploded?color[R]=100&'],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, appendix E: a value that contains the delimiter of its style cannot be distinguished from two values; the call is refused.',
    requests: {
      'querySpaceDelimited: unicode': [
        ['ClientError: The query parameter "color" contains the delimiter of its style.'],
        ['GET /querySpaceDelimited?color=%C3%A9%20%C3%BC%20%E6%9D%B1', ''],
      ],
      'querySpaceDelimited: record': [
        ['ClientError: The query parameter "color" contains the delimiter of its style.'],
        ['GET /querySpaceDelimited?color[R]=100&color[G]=a%20b', ''],
      ],
    },
  },
  {
    reason:
      'RFC 3986, 3.4 and OpenAPI 3.1.1, appendix E: square brackets in a query are percent-encoded; and nothing follows the last `&`.',
    requests: {
      'queryDeepObject: record': [
        ['GET /queryDeepObject?color%5BR%5D=100&color%5BG%5D=a%20b'],
        ['GET /queryDeepObject?color[R]=100&color[G]=a%20b'],
      ],
      'queryDeepObject: record with absent member': [
        ['GET /queryDeepObject?color%5BR%5D=100'],
        ['GET /queryDeepObject?color[R]=100&'],
      ],
      'queryDeepObjectExploded: record': [
        ['GET /queryDeepObjectExploded?color%5BR%5D=100&color%5BG%5D=a%20b'],
        ['GET /queryDeepObjectExploded?color[R]=100&color[G]=a%20b'],
      ],
      'queryDeepObjectExploded: record with absent member': [
        ['GET /queryDeepObjectExploded?color%5BR%5D=100'],
        ['GET /queryDeepObjectExploded?color[R]=100&'],
      ],
      'several: all': [
        ['GET /several/1-2?tags%5B%5D=x&tags%5B%5D=y&after=2026-11-23T10%3A00%3A00%2B01%3A00'],
        ['GET /several/1-2?tags[]=x&tags[]=y&after=2026-11-23T10%3A00%3A00%2B01%3A00'],
      ],
    },
  },
  {
    reason:
      'RFC 6570, 3.2.2, to which OpenAPI 3.1.1, 4.8.12.3 refers: `simple` separates items by a comma only. It writes objects as JSON.',
    requests: {
      'headerSimple: list': [['x-color: blue,a,b,c&d'], ['x-color: blue, a,b, c&d']],
      'headerSimple: record': [['x-color: R,100,G,a b'], ['x-color: {"R":100,"G":"a b"}']],
      'headerSimpleExploded: list': [['x-color: blue,a,b,c&d'], ['x-color: blue, a,b, c&d']],
      'headerSimpleExploded: record': [['x-color: R=100,G=a b'], ['x-color: {"R":100,"G":"a b"}']],
    },
  },
  {
    reason: 'OpenAPI 3.1.1, 4.8.12.1: a cookie parameter is sent. It sends none.',
    requests: {
      'cookieForm: text': [['cookie: color=blue'], []],
      'cookieForm: number': [['cookie: color=1.5'], []],
      'cookieForm: boolean': [['cookie: color=false'], []],
      'cookieForm: unicode': [['cookie: color=%C3%A9%20%C3%BC%20%E6%9D%B1'], []],
      'cookieForm: reserved': [
        ['cookie: color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        [],
      ],
      'cookieForm: list': [['cookie: color=blue,a%2Cb,c%26d'], []],
      'cookieForm: list of one': [['cookie: color=blue'], []],
      'cookieForm: record': [['cookie: color=R,100,G,a%20b'], []],
      'cookieFormExploded: text': [['cookie: color=blue'], []],
      'cookieFormExploded: number': [['cookie: color=1.5'], []],
      'cookieFormExploded: boolean': [['cookie: color=false'], []],
      'cookieFormExploded: unicode': [['cookie: color=%C3%A9%20%C3%BC%20%E6%9D%B1'], []],
      'cookieFormExploded: reserved': [
        ['cookie: color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27%28l%29%2A%21m%2520'],
        [],
      ],
      'cookieFormExploded: list': [['cookie: color=blue; color=a%2Cb; color=c%26d'], []],
      'cookieFormExploded: list of one': [['cookie: color=blue'], []],
      'cookieFormExploded: record': [['cookie: R=100; G=a%20b'], []],
    },
  },
  {
    reason:
      'Stripe and others document nested members of `deepObject` like this; OpenAPI leaves it undefined. It sends nothing.',
    requests: {
      'nestedObject: nested': [
        [
          'GET /nestedObject?color%5Bstate%5D=open&color%5Bsize%5D%5Bmin%5D=1&color%5Bsize%5D%5Btags%5D%5B0%5D=a&color%5Bsize%5D%5Btags%5D%5B1%5D=b&color%5Blist%5D%5B0%5D%5Ba%5D=1&color%5Blist%5D%5B1%5D%5Ba%5D=2',
          '',
        ],
        ['nothing'],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.12.2.2 and RFC 6570, 3.2.3: `allowReserved` keeps reserved characters, except for those that have a meaning in a query. It ignores it.',
    requests: {
      'allowReserved: reserved': [
        ['GET /allowReserved?color=a/b?c%23d%26e=f%2Bg;h,i:j@k%27(l)*!m%20'],
        ['GET /allowReserved?color=a%2Fb%3Fc%23d%26e%3Df%2Bg%3Bh%2Ci%3Aj%40k%27(l)*!m%2520'],
      ],
      'allowReserved: list': [
        ['GET /allowReserved?color=blue&color=a,b&color=c%26d'],
        ['GET /allowReserved?color=blue&color=a%2Cb&color=c%26d'],
      ],
      'allowReserved: record': [
        ['GET /allowReserved?R=100&G=a%20b'],
        ['GET /allowReserved?color[R]=100&color[G]=a%20b'],
      ],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.12.2.3: the media type of `content` serializes the value. It sends nothing, or writes `simple`.',
    requests: {
      'contentQuery: record': [
        ['GET /contentQuery?color=%7B%22a%22%3A%22x%20y%22%2C%22b%22%3A%5B1%5D%7D', ''],
        ['nothing'],
      ],
      'contentPath: record': [
        ['GET /contentPath/%7B%22a%22%3A%22x%20y%22%2C%22b%22%3A%5B1%5D%7D'],
        ['GET /contentPath/a,x%20y,b,1'],
      ],
    },
  },
  {
    reason: 'A body of XML is its text (RFC 7303, 4.1). It writes the text as JSON.',
    requests: {
      'xml: text': [['<a>Ã©</a>'], ['"<a>Ã©</a>"']],
    },
  },
  {
    reason: 'The body is required. It sends no body and no media type for an empty form.',
    requests: {
      'formLists: empty list': [['content-type: application/x-www-form-urlencoded'], []],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.15.1.2: `style` and `explode` of an Encoding Object serialize the property. It ignores them.',
    requests: {
      'formStyles: both': [['flat=x,y&deep%5Bk%5D=1'], ['flat=x&flat=y&deep=%7B%22k%22%3A1%7D']],
    },
  },
  {
    reason:
      'OpenAPI 3.1.1, 4.8.15.1.1: the media type of a part is `contentType` of its Encoding Object, or `application/json` for an object. It states none.',
    requests: {
      'partObjects: object': [
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="about"\r\nContent-Type: application/json\r\n\r\n{"a":"b"}\r\n--{boundary}--\r\n',
        ],
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="about"\r\n\r\n{"a":"b"}\r\n--{boundary}--\r\n',
        ],
      ],
      'partObjects: objects': [
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="many"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n--{boundary}\r\nContent-Disposition: form-data; name="many"\r\nContent-Type: application/json\r\n\r\n{"a":2}\r\n--{boundary}--\r\n',
        ],
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="many"\r\n\r\n{"a":1}\r\n--{boundary}\r\nContent-Disposition: form-data; name="many"\r\n\r\n{"a":2}\r\n--{boundary}--\r\n',
        ],
      ],
      'partTypes: text': [
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="table"\r\nContent-Type: text/csv\r\n\r\na,b\r\n--{boundary}--\r\n',
        ],
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="table"\r\n\r\na,b\r\n--{boundary}--\r\n',
        ],
      ],
      'partTypes: object': [
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="about"\r\nContent-Type: application/vnd.about+json\r\n\r\n{"a":1}\r\n--{boundary}--\r\n',
        ],
        [
          '--{boundary}\r\nContent-Disposition: form-data; name="about"\r\n\r\n{"a":1}\r\n--{boundary}--\r\n',
        ],
      ],
    },
  },
];
