// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

bytes4 constant VALID = 0x1626ba7e;
bytes4 constant INVALID = 0xffffffff;

/// Who signed a digest with 65 bytes r, s, v; the zero address where nobody did.
function recover(bytes32 digest, bytes calldata signature) pure returns (address) {
    if (signature.length != 65) return address(0);
    return ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
}

/// A smart account of one owner (ERC-1271).
contract PlainWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer = recover(hash, signature);
        return signer == owner && signer != address(0) ? VALID : INVALID;
    }
}

/// A smart account whose owner signs each message nested in one of the account (ERC-7739): a signature for one account of an owner
/// is none of the owner's other accounts.
contract NestedWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        uint256 length = signature.length;
        if (length < 66) return INVALID;
        uint256 described = uint16(bytes2(signature[length - 2:]));
        if (described == 0 || length < 66 + described) return INVALID;
        uint256 at = length - 2 - described;
        bytes32 app = bytes32(signature[at - 64:at - 32]);
        bytes32 contents = bytes32(signature[at - 32:at]);
        if (keccak256(abi.encodePacked(hex"1901", app, contents)) != hash) return INVALID;
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", app, nested(contents, signature[at:length - 2])));
        address signer = recover(digest, signature[:at - 64]);
        return signer == owner && signer != address(0) ? VALID : INVALID;
    }

    function nested(bytes32 contents, bytes calldata description) internal view returns (bytes32) {
        uint256 end = 0;
        while (description[end] != "(") end += 1;
        bytes32 type_hash = keccak256(
            abi.encodePacked(
                "TypedDataSign(",
                description[:end],
                " contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)",
                description
            )
        );
        return keccak256(
            abi.encode(type_hash, contents, keccak256("Vault"), keccak256("1"), block.chainid, address(this), bytes32(0))
        );
    }
}

/// Accounts that do not answer as one should.
contract RevertingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert("closed");
    }
}

contract EndlessWallet {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        uint256 n = 0;
        while (gasleft() > 0) n += 1;
        return n > 0 ? VALID : INVALID;
    }
}

contract TruthfulWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bool) {
        return true;
    }
}

contract RightAlignedWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (uint256) {
        return uint32(VALID);
    }
}

contract ShortWallet {
    function isValidSignature(bytes32, bytes calldata) external pure {
        assembly {
            mstore(0, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
            return(0, 4)
        }
    }
}
